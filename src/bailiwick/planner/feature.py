"""The planner as a feature."""

from bailiwick.feature import Feature
from bailiwick.planner.tools import tools

feature = Feature(name="planner", tools=tools)
