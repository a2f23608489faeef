"""The role of a folder: as the server gives it (RFC 6154), or by its name in several languages."""

from collections.abc import Sequence

from bailiwick.connectors.mail import FolderRole

SPECIAL: dict[str, FolderRole] = {
    "\\sent": "sent",
    "\\drafts": "drafts",
    "\\archive": "archive",
    "\\trash": "trash",
    "\\junk": "junk",
    "\\all": "all",
    "\\flagged": "flagged",
}

# The names of folders that we create.
MADE: dict[str, str] = {
    "sent": "Sent",
    "drafts": "Drafts",
    "archive": "Archive",
    "trash": "Trash",
    "junk": "Junk",
}

_NAMES: dict[FolderRole, str] = {
    "sent": """sent|sent items|sent mail|sent messages|sentmail|gesendet|gesendete elemente
        |gesendete objekte|gesendete nachrichten|envoyés|éléments envoyés|messages envoyés
        |courrier envoyé|enviados|elementos enviados|mensajes enviados|correo enviado|itens enviados
        |inviata|posta inviata|verzonden|verzonden items|verzonden berichten|skickat|skickade objekt
        |sendt|sendte elementer|lähetetyt|lähetetyt kohteet|wysłane|elementy wysłane|odeslané
        |odeslaná pošta|отправленные|надіслані|elküldött|trimise|gönderilmiş öğeler
        |已发送|已发送邮件|寄件備份|送信済み|送信済みアイテム|보낸 편지함""",
    "drafts": """drafts|draft|entwürfe|entwurf|brouillons|brouillon|borradores|bozze|rascunhos
        |concepten|utkast|kladder|kladd|luonnokset|szkice|wersje robocze|koncepty|rozepsané
        |черновики|чернетки|piszkozatok|ciorne|taslaklar|草稿|草稿箱|下書き
        |임시 보관함|임시보관함""",
    "archive": """archive|archives|archived|archiv|archivio|archivo|archivados|arquivo|arquivos
        |archief|arkiv|arkisto|archiwum|archivů|архив|архів|archívum|arhivă|arşiv
        |归档|存档|封存|アーカイブ|보관함""",
    "trash": """trash|deleted|deleted items|deleted messages|bin|wastebasket|papierkorb|gelöscht
        |gelöschte elemente|gelöschte objekte|corbeille|éléments supprimés|messages supprimés
        |papelera|elementos eliminados|eliminados|cestino|posta eliminata|lixeira|itens excluídos
        |prullenbak|verwijderde items|papperskorg|papperskorgen|borttagna objekt|papirkurv
        |slettede elementer|slettet post|roskakori|poistetut|kosz|elementy usunięte|koš
        |odstraněná pošta|корзина|удаленные|удалённые|кошик|törölt elemek|kuka
        |coș de gunoi|çöp kutusu
        |已删除|已删除邮件|刪除的郵件|ゴミ箱|削除済みアイテム|휴지통|지운 편지함""",
    "junk": """junk|junk e-mail|junk email|junk mail|spam|bulk|bulk mail|spamverdacht|unerwünscht
        |unerwünschte werbung|junk-e-mail|courrier indésirable|indésirables|pourriel|spams
        |correo no deseado|no deseado|posta indesiderata|indesiderata|lixo eletrônico|lixo
        |ongewenste e-mail|ongewenst|skräppost|søppelpost|uønsket e-mail|roskaposti
        |wiadomości-śmieci
        |nevyžádaná pošta|спам|нежелательная почта|levélszemét|gereksiz e-posta
        |垃圾邮件|垃圾郵件|迷惑メール|스팸|스팸메일함|정크 메일""",
}
_BY_NAME: dict[str, FolderRole] = {
    name.strip(): role for role, names in _NAMES.items() for name in names.split("|")
}
# A name counts at these depths: the folder itself, or one below INBOX or [Gmail].
_DEEPEST = 2


def special(attributes: Sequence[str]) -> FolderRole | None:
    """The role that the server gives."""
    for attribute in attributes:
        if (role := SPECIAL.get(attribute.lower())) is not None:
            return role
    return None


def by_name(path: Sequence[str]) -> FolderRole | None:
    """The role that a name suggests."""
    return _BY_NAME.get(path[-1].strip().lower()) if 0 < len(path) <= _DEEPEST else None
