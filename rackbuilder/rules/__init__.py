"""What is wrong or worth knowing about a design: topics of rules, in the order findings are listed."""

from rackbuilder.rules.cabling import CABLING
from rackbuilder.rules.fabric import FABRIC, INTERCONNECTS
from rackbuilder.rules.finding import Topic
from rackbuilder.rules.manager import MANAGER
from rackbuilder.rules.observed import OBSERVED
from rackbuilder.rules.optics import OPTICS
from rackbuilder.rules.power import POWER
from rackbuilder.rules.routing import ROUTING
from rackbuilder.rules.software import SOFTWARE
from rackbuilder.rules.space import SPACE
from rackbuilder.rules.workload import WORKLOAD

RULES: tuple[Topic, ...] = (
    SPACE,
    POWER,
    SOFTWARE,
    FABRIC,
    INTERCONNECTS,
    ROUTING,
    OBSERVED,
    MANAGER,
    CABLING,
    OPTICS,
    WORKLOAD,
)
