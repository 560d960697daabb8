"""What an area tried, the results, and which limits were exceeded."""


class Skipped(Exception):
    """The area cannot be tried here; gives the reason."""


class Findings:
    def __init__(self):
        self.attempts, self.outcomes, self.broken, self.gaps = [], [], [], []

    def tried(self, text):
        self.attempts.append(text)

    def says(self, text):
        self.outcomes.append(text)

    def at_most(self, name, value, most, unit=""):
        """A figure with its bound."""
        self.says(f"{name} {value:.4g}{unit and ' '}{unit}")
        if value > most:
            self.broken.append(f"{name}: {value:.4g} {unit}, at most {most:g} held before")

    def none(self, what, cases):
        """Counts forbidden events; the first cases are reported."""
        self.says(f"{len(cases)} {what}")
        if cases:
            self.broken.append(f"{len(cases)} {what}: " + "; ".join(map(str, cases[:3])))

    def check(self, holds, otherwise):
        if not holds:
            self.broken.append(otherwise)

    def gap(self, why):
        """A part of the area that cannot be tried here."""
        self.gaps.append(why)

    def json(self):
        return {"tried": ", ".join(self.attempts), "outcome": ", ".join(self.outcomes),
                "broken": self.broken, "gaps": self.gaps}
