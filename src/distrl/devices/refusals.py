"""What an agent never does on a phone with a person's data: by words on the screen, by app, by command.

A phrase is found at word boundaries, whatever its case and accents; `#` stands for an amount ("pay $ 12.99"),
and a phrase that starts with `=` must be the whole label. Scripts without spaces are searched as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# On or around what is touched: things that cost money, or that cannot be undone.
WORDS = (
    # English
    "uninstall", "=pay", "pay #", "pay now", "pay with", "pay by", "pay for", "confirm payment",
    "confirm and pay", "make payment", "=buy", "buy now", "buy for", "buy #", "1-click buy",
    "purchase now", "=purchase", "complete purchase", "confirm purchase", "place order",
    "place your order", "place the order", "submit order", "order now", "subscribe now",
    "start subscription", "subscribe for", "send money", "send payment", "request money",
    "transfer money", "confirm transfer", "top up", "place bid", "factory reset", "factory data reset",
    "erase all", "erase data", "erase everything", "erase phone", "reset phone", "reset device",
    "format sd card", "wipe data", "delete account", "remove account", "close account",
    "deactivate account", "delete all", "clear storage", "clear all data", "install anyway",
    "emergency call", "power off", "oem unlocking",
    # German
    "deinstallieren", "jetzt bezahlen", "=bezahlen", "jetzt zahlen", "# bezahlen", "zahlung bestätigen",
    "zahlungspflichtig", "jetzt kaufen", "=kaufen", "kaufen für", "kauf abschließen",
    "bestellung aufgeben", "kostenpflichtig", "jetzt bestellen", "geld senden", "überweisen",
    "jetzt abonnieren", "auf werkseinstellungen", "werkseinstellungen zurücksetzen", "alle daten löschen",
    "alles löschen", "konto löschen", "konto entfernen", "telefon zurücksetzen", "notruf",
    # French
    "désinstaller", "=payer", "payer maintenant", "payer #", "confirmer le paiement", "=acheter",
    "acheter maintenant", "passer la commande", "passer commande", "valider la commande",
    "envoyer de l'argent", "s'abonner", "rétablir la configuration d'usine", "réinitialiser le téléphone",
    "effacer toutes les données", "tout effacer", "tout supprimer", "supprimer le compte",
    "supprimer mon compte",
    # Spanish
    "desinstalar", "=pagar", "pagar ahora", "pagar #", "confirmar pago", "confirmar el pago", "=comprar",
    "comprar ahora", "comprar ya", "realizar pedido", "hacer pedido", "tramitar pedido", "enviar dinero",
    "suscribirse ahora", "restablecer datos de fábrica", "restablecer teléfono", "borrar todos los datos",
    "borrar todo", "eliminar todo", "eliminar cuenta", "borrar cuenta",
    # Italian
    "disinstalla", "=paga", "paga ora", "paga #", "conferma pagamento", "=acquista", "acquista ora",
    "invia ordine", "conferma ordine", "invia denaro", "ripristino dati di fabbrica",
    "ripristina dati di fabbrica", "cancella tutti i dati", "elimina tutto", "elimina account",
    "rimuovi account",
    # Portuguese
    "pagar agora", "confirmar pagamento", "comprar agora", "finalizar compra", "fazer pedido",
    "enviar dinheiro", "redefinir para os padrões de fábrica", "apagar todos os dados", "apagar tudo",
    "excluir tudo", "excluir conta", "remover conta",
    # Chinese, Japanese
    "卸载", "解除安裝", "立即支付", "确认支付", "確認付款", "立即付款", "立即购买", "立即購買",
    "提交订单", "转账", "轉帳", "发红包", "恢复出厂设置", "原廠重設", "清除所有数据", "清除全部数据",
    "注销账号", "删除账号", "刪除帳號", "アンインストール", "支払う", "今すぐ購入", "購入する",
    "注文を確定", "送金", "初期化", "すべてのデータを消去", "アカウントを削除",
)  # fmt: skip

# Anywhere on the screen: pages and dialogs on which nothing at all is touched; BACK and HOME remain.
SCREENS = (
    "erase all data", "factory data reset", "all data will be erased", "do you want to uninstall",
    "uninstall this app", "delete your account", "confirm your payment", "confirm payment",
    "enter your pin", "enter pin", "use fingerprint to pay", "double click to pay",
    "möchtest du diese app deinstallieren", "app deinstallieren", "zahlung bestätigen", "pin eingeben",
    "auf werkseinstellungen zurücksetzen", "voulez-vous désinstaller", "confirmer le paiement",
    "effacer toutes les données", "quieres desinstalar", "confirmar el pago", "borrar todos los datos",
    "vuoi disinstallare", "conferma pagamento", "cancella tutti i dati", "desinstalar este app",
    "confirmar pagamento", "apagar todos os dados", "要卸载", "确认支付", "请输入支付密码",
    "清除所有数据", "アンインストールしますか", "すべてのデータを消去",
)  # fmt: skip

# Apps that stay closed whatever is allowed otherwise; `*` stands for any characters.
APPS = (
    "*.packageinstaller", "com.android.vending", "com.android.stk",
    "com.google.android.apps.walletnfcrel", "com.samsung.android.spay",
    "com.google.android.apps.nbu.paisa.user", "com.eg.android.AlipayGphone", "*paypal*", "*venmo*",
    "*.bank", "*.banking*", "*bank.*", "*sparkasse*", "*.wallet*", "*revolut*", "*authenticator*",
    "*.bitwarden*", "*keepass*", "*1password*",
)  # fmt: skip

# In a task's set-up and probes: lines that delete what a person may want to keep.
COMMANDS = (
    r"\bpm\s+(uninstall|clear|disable|hide|suspend)",
    r"\bcmd\s+package\s+(uninstall|clear|disable|suspend)", r"\bcontent\s+(delete|update|insert)\b",
    r"\brm\s", r"\brmdir\s", r"\bdd\s", r"\bmkfs", r"\bsm\s+(format|partition)",
    r"MASTER_CLEAR|FACTORY_RESET|WIPE_", r"\bwipe\b|\brecovery\b", r"\breboot\b", r"\bsvc\s+power\b",
    r"\bsqlite3\b", r"\baccount\b.*\bremove\b", r"\bam\s+start\b.*\.(CALL|DELETE|SENDTO)\b",
    r"\bservice\s+call\b", r"\bsu\b", r"\blocksettings\b", r"\bdevice_policy\b|\bdpm\b",
)  # fmt: skip

_AMOUNT = r"(?:[a-z]{3}\s*)?[$€£¥₹₽₩]?\s*\d(?:[\d.,' ]*\d)?\s*[$€£¥₹₽₩]?"
_SPACES = re.compile(r"\s+")
_WORDS_OF_ID = re.compile(r"[a-z]+|[A-Z](?:[a-z]+|[A-Z]*)")


def plain(text: str) -> str:
    """A text as it is compared: small letters, no accents, no invisible characters, single spaces."""
    kept = [
        letter
        for letter in unicodedata.normalize("NFKD", text.casefold())
        if unicodedata.category(letter) not in ("Mn", "Cf")
    ]
    return _SPACES.sub(" ", "".join(kept).replace("’", "'")).strip()


def words_of_id(resource_id: str) -> str:
    """The words in an element's id: `com.shop:id/payNow_button` is "pay now button"."""
    return " ".join(_WORDS_OF_ID.findall(resource_id.rpartition("/")[2])).casefold()


class Phrases:
    """Phrases to look for in texts; see the module's docstring for how they are written."""

    def __init__(self, phrases: Iterable[str]) -> None:
        whole: dict[str, str] = {}
        patterns = []
        for phrase in phrases:
            wanted = plain(phrase.removeprefix("="))
            if phrase.startswith("="):
                whole[wanted] = wanted
            elif wanted:
                patterns.append(_pattern(wanted))
        self._whole = whole
        self._inside = re.compile("|".join(sorted(patterns, key=len, reverse=True)) or r"(?!)")

    def find(self, text: str) -> str:
        """The phrase that a text holds; empty if none."""
        compared = plain(text)
        if compared in self._whole:
            return compared
        found = self._inside.search(compared)
        return found[0] if found else ""


def _pattern(phrase: str) -> str:
    """A plain phrase as a regular expression."""
    pieces = [piece.strip() for piece in re.split(r"(#)", phrase) if piece.strip()]
    body = r"\s*".join(_AMOUNT if piece == "#" else re.escape(piece) for piece in pieces)
    return rf"(?<!\w){body}(?!\w)" if re.search(r"[a-z]", phrase) else body
