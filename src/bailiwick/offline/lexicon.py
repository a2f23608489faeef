"""Words of other languages: what people file, by the English word, and what says nothing."""

from collections.abc import Sequence
from functools import cache

from bailiwick.offline.text import listed

_COMPOUND, _PART = 9, 5  # letters of a word that may be made of two, and of the second
_FOREIGN = 0.2  # the share of such words in any text that is not English

_WORDS = """
invoice: rechnung facture factura fattura
receipt: quittung beleg kassenbon kassenzettel reçu recu recibo
bank: kontoauszug banque banco sparkasse relevé releve extracto girokonto
statement: kontoauszug relevé releve extracto auszug
account: konto compte cuenta
tax: steuer finanzamt steuerbescheid umsatzsteuer impôt impôts impot impuesto hacienda tva iva
insurance: versicherung versicherungsschein haftpflicht hausrat assurance assurances seguro póliza
rent: miete mietvertrag vermieter mieter nebenkosten wohnung loyer bail bailleur locataire alquiler
repair: reparatur kostenvoranschlag handwerker klempner réparation devis plombier reparación
energy: strom energie stadtwerke zähler électricité compteur electricidad luz kwh
contract: vertrag vereinbarung contrat contrato
payslip: gehaltsabrechnung lohnabrechnung lohn gehalt paie bulletin salaire nómina salario brutto
health: arzt ärztin praxis patientin médecin docteur santé médico salud
prescription: rezept verordnung tabletten ordonnance comprimé comprimés receta
lab: labor laborbefund befund blutbild analyse laboratoire análisis laboratorio
school: schule lehrerin lehrer klasse elternabend école ecole élève maîtresse escuela colegio
travel: reise urlaub voyage viaje
ticket: fahrkarte fahrschein bahn zug flug billet billets tgv billete vuelo
car: auto wagen fahrzeug werkstatt tüv kfz voiture véhicule coche
recipe: zutaten mehl zucker eier kartoffeln recette farine sucre beurre œufs huevos patatas cebolla
garden: garten beet samen jardin graines jardín huerto semillas
soil: boden bodenprobe suelo
letter: liebe lieber brief chère cher lettre querida querido carta
pet: tierarzt katze hund vétérinaire chat chien veterinario gato perro
court: gericht anwalt klage tribunal avocat abogado juzgado
meeting: besprechung protokoll sitzung réunion reunión acta
manual: anleitung bedienungsanleitung notice instrucciones
choir: chor chorprobe chœur chorale coro
heating: heizung wartung chauffage calefacción
notary: notar notaire notario vollmacht procuration poder
minutes: protokoll acta
music: konzert probe concert concierto
child: kind kinder enfant enfants niño niños hijo
sample: probe échantillon muestra muestreo
club: verein association asociación
"""

# What stands in every text of a language.
_COMMON = frozenset(
    listed(
        "aber alle als am an auch auf aus bei beim bin bis bitte bleiben da damit das dass dem den "
        "der des die dies diese dieser durch ein eine einem einen einer eines er es für haben hat "
        "ich ihr ihre ihrem ihren ihnen im ist kann kein keine mit nach nicht noch nur oder pro "
        "sehr sich sie sind so und uns unser unsere vom von vor war was wenn werden wie wir wird "
        "wurde zu zum zur zwei über um "
        "au aux avec ce ces cet cette dans de des donc du elle en est et il ils je la le les leur "
        "lui mais me même mes moi mon ne nos notre nous on ou où par pas plus pour que qui sa sans "
        "se ses si son sont sous sur te toi ton très tu un une vos votre vous était être avez "
        "avons deux "
        "al algo aquí como con cuando del desde dos el ella ello entre era es esa ese esta este "
        "está están fue ha hay las lo los más mi muy nada ni nosotros o para pero por porque qué "
        "quien sea ser sin sobre son su sus también tiene uno unos y ya"
    )
)


@cache
def _english() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _WORDS.strip().splitlines():
        word, _, others = line.partition(":")
        for other in others.split():
            found[other] = (*found.get(other, ()), word)
    return found


def english(word: str) -> tuple[str, ...]:
    """The English words for a word in small letters; none if it is not known."""
    known = _english()
    if word in known or len(word) < _COMPOUND:
        return known.get(word, ())
    # "Kleingarten" is a garden, and "Mietvertrag" a contract.
    parts = (word[cut:] for cut in range(3, len(word) - _PART + 1))
    return next((known[part] for part in parts if part in known), ())


def is_common(word: str) -> bool:
    """Whether a word in small letters says nothing in German, French or Spanish."""
    return word in _COMMON


def is_foreign(words: Sequence[str]) -> bool:
    """Whether a text is in another language than English, by the words that say nothing."""
    return sum(map(is_common, words)) > _FOREIGN * len(words)
