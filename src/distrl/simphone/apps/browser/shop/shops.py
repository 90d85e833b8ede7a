"""The shops. Ridgeline Outdoor is never used in training: it is there to test what was learned."""

from __future__ import annotations

from distrl.simphone.apps.browser.shop.shop import Layout, Shop, Words
from distrl.simphone.apps.browser.site import CookieWords

LARKSPUR = Shop(
    host="larkspur.market",
    name="Larkspur Market",
    icon="local_florist",
    about="Everyday things, delivered. Clothing, shoes, electronics, books and more.",
    slogan="Deal of the day",
    newsletter="Be the first to hear about our offers",
)

VOLTAIC = Shop(
    host="voltaic.store",
    name="Voltaic",
    icon="bolt",
    about="Phones, computers and sound, tested by people who use them.",
    slogan="Spotlight",
    hue=0.58,
    layout=Layout(
        header="strong", search="icon", results="grid", categories="strip", sorting="tabs", filters="chips",
        options="dropdown", quantity="dropdown", cart="bottom", cart_icon="shopping_basket", address="known",
        steps=2, sponsored=True,
    ),
    words=Words(
        cart="Basket", add="Add to basket", added="It is in your basket", checkout="Proceed to delivery",
        next="Continue to payment", order="Pay now", search="What are you looking for?", saved="Saved",
        quantity="Qty", sold_out="Out of stock", total="Subtotal", thanks="Payment received",
        delivery="Shipping method", payment="Pay with", relevance="Best", cheapest="Cheapest",
        dearest="Priciest", rating="Rated",
    ),
    sorts=("", "price_low", "price_high", "rating"),
    filters=("max", "rating", "stock", "deal", "brand"),
    price_limits=(25, 50, 100, 300, 600),
    deliveries=(("Parcel locker", 0), ("Courier", 490), ("Same-day courier", 1290)),
    payments=("Credit card", "Instalments", "Gift card"),
    cookies=CookieWords(
        "Voltaic and its partners store data on your phone.", "Agree", "Disagree", "More choices", True
    ),
    newsletter="5 gadgets a week, no nonsense",
)  # fmt: skip

THIMBLE = Shop(
    host="thimble.clothing",
    name="Thimble & Thread",
    icon="checkroom",
    about="Clothes and shoes made to last, in all sizes.",
    slogan="New this week",
    hue=0.93,
    layout=Layout(
        header="plain", search="top", results="cards", categories="chips", sorting="menu", filters="page",
        options="swatches", quantity="cart", cart="header", cart_icon="shopping_bag", address="known",
    ),
    words=Words(
        cart="Bag", add="Put in bag", added="It's in your bag", checkout="Go to checkout",
        order="Complete purchase", search="Find clothes and shoes", saved="Favourites", filter="Refine",
        sort="Order", show="Show items", clear="Reset", sold_out="Not available", total="Bag total",
        thanks="Your clothes are on their way", coupon="Promo code", apply="Redeem",
        delivery="How to deliver", payment="How to pay", relevance="Our picks", cheapest="Lowest price first",
        dearest="Highest price first", rating="Best reviewed", reviews="Most discussed",
    ),
    sorts=("", "price_low", "price_high", "rating", "reviews"),
    filters=("size", "colour", "max", "deal"),
    price_limits=(20, 40, 80, 120),
    deliveries=(("Post", 350), ("Pick up in store", 0), ("Next day", 950)),
    payments=("Card", "Invoice"),
    coupon="STITCH",
    cookies=CookieWords(
        "A few crumbs: may we use cookies?", "Yes, that's fine", "Only what is needed", "Let me choose"
    ),
    newsletter="10% off your first order",
)  # fmt: skip

HEARTHSIDE = Shop(
    host="hearthside.home",
    name="Hearthside",
    icon="fireplace",
    about="Furniture, kitchen and garden for every home.",
    slogan="Make it cosy",
    hue=0.07,
    layout=Layout(
        header="soft", search="top", results="compact", categories="rows", sorting="page", filters="page",
        options="sheet", quantity="stepper", cart="bar", cart_icon="assignment", address="known", steps=2,
    ),
    words=Words(
        cart="Order list", add="Order", added="Added to your order list", checkout="To the till",
        next="Next: payment", order="Confirm and pay", search="Search furniture and more",
        saved="Dream home", quantity="How many", filter="Sort & filter", sort="Arrange by", show="Apply",
        clear="Start again", sold_out="Temporarily unavailable", total="Sum", thanks="We have your order",
        coupon="Voucher", delivery="Transport", payment="Billing", relevance="Recommended",
        cheapest="Least expensive", dearest="Most expensive", rating="Highest rated",
        fastest="Soonest delivery",
    ),
    filters=("category", "max", "rating", "colour", "stock"),
    price_limits=(20, 50, 100, 200),
    deliveries=(("Kerbside", 990), ("To the room", 2490), ("Collect yourself", 0)),
    payments=("Bank transfer", "Card"),
    coupon="COSY",
    cookies=CookieWords("This site uses cookies.", "Got it", "No, thanks", "Settings"),
)  # fmt: skip

PAGETURNER = Shop(
    host="pageturner.books",
    name="Pageturner",
    icon="menu_book",
    about="Books for every evening, and what one needs to write one.",
    slogan="Book of the month",
    hue=0.38,
    layout=Layout(
        header="plain", search="page", results="list", categories="grid", sorting="chips", filters="sheet",
        options="radio", quantity="stepper", cart="bottom", cart_icon="local_mall", address="typed", steps=2,
    ),
    words=Words(
        cart="Book bag", add="Buy", added="One more for your book bag", checkout="Check out",
        next="To payment", order="Buy for good", search="Title, author or subject", saved="Reading list",
        quantity="Copies", filter="Narrow down", show="Done", clear="Clear all", sold_out="Out of print",
        total="All together", thanks="Happy reading", delivery="Dispatch", payment="Means of payment",
        relevance="Suggested", cheapest="Price up", dearest="Price down", rating="Readers' rating",
        reviews="Most read",
    ),
    sorts=("", "price_low", "price_high", "rating", "reviews"),
    filters=("max", "rating", "label", "stock"),
    price_limits=(10, 15, 20, 30),
    deliveries=(("Letter", 0), ("Tracked parcel", 450)),
    payments=("Card", "Book token"),
    cookies=CookieWords("Cookies help us to recommend books.", "Allow", "Refuse", "Details", True),
    newsletter="A letter about books, every Sunday",
)  # fmt: skip

FENNEL = Shop(
    host="fennel.grocery",
    name="Fresh Fennel",
    icon="eco",
    about="Groceries from the region, at your door tonight.",
    slogan="In season",
    hue=0.29,
    layout=Layout(
        header="strong", search="top", results="steppers", categories="strip", sorting="menu",
        filters="chips", options="chips", quantity="stepper", cart="bar", cart_icon="shopping_cart",
        address="known", steps=1,
    ),
    words=Words(
        cart="Trolley", add="Add to trolley", added="In the trolley", checkout="Choose a delivery time",
        order="Send order", search="Search groceries", saved="Usuals", quantity="Amount",
        sort="Sorted by", sold_out="Back tomorrow", total="Groceries", thanks="We are packing your order",
        coupon="Discount code", apply="Use", delivery="Delivery time", payment="Pay by",
        relevance="Popular", cheapest="Price, lowest", dearest="Price, highest", rating="Rating",
    ),
    sorts=("", "price_low", "price_high", "rating"),
    filters=("label", "max", "deal", "stock"),
    price_limits=(2, 4, 8),
    deliveries=(("Today 18-20", 390), ("Tomorrow 8-10", 290), ("Tomorrow 18-20", 190)),
    payments=("Card", "Cash at the door"),
    coupon="FRESH",
    cookies=CookieWords("We bake our own cookies. Some are for advertising.", "Accept", "Decline", "Manage"),
    newsletter="Recipes for the week",
)  # fmt: skip

RIDGELINE = Shop(
    host="ridgeline.outdoor",
    name="Ridgeline Outdoor",
    icon="terrain",
    about="Gear for camping, hiking, cycling and training.",
    slogan="Trail pick",
    hue=0.50,
    layout=Layout(
        header="soft", search="icon", results="cards", categories="grid", sorting="tabs", filters="sheet",
        options="dropdown", quantity="stepper", cart="word", cart_icon="backpack", address="typed", steps=3,
    ),
    words=Words(
        cart="Kit", add="Pack it", added="Packed", checkout="Head to checkout", next="Onwards",
        order="Send it", search="Search gear", saved="Wish pack", quantity="Pieces", filter="Trim",
        show="See gear", clear="Wipe", sold_out="Gone for now", total="Kit value", thanks="See you outside",
        coupon="Trail code", apply="Check", delivery="Carrier", payment="Settle by", relevance="Top",
        cheapest="Low $", dearest="High $", rating="Stars",
    ),
    sorts=("", "price_low", "price_high", "rating"),
    filters=("max", "rating", "size", "fast", "stock"),
    price_limits=(25, 50, 100, 200),
    deliveries=(("Trail mail", 0), ("Fast lane", 890), ("Hut pick-up", 200)),
    payments=("Card", "Club account"),
    coupon="PEAK",
    cookies=CookieWords("Trail mix or cookies?", "Sure", "Nope", "Pick some", True),
    newsletter="Maps and tips, twice a month",
)  # fmt: skip

SHOPS = (LARKSPUR, VOLTAIC, THIMBLE, HEARTHSIDE, PAGETURNER, FENNEL, RIDGELINE)
