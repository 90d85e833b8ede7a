"""What people look at in the terminal: live progress, tables, episodes as pictures."""
