"""Planning subscriptions in a network of peers: which flow is reused, where, at what cost."""

from millstream.sharing.planner.candidate import Candidate, Rejection
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.installations import Cancellation
from millstream.sharing.planner.operators import Operator
from millstream.sharing.planner.options import Bypass, Options, Strategy
from millstream.sharing.planner.plan import Action, Plan, PlanInput, Refusal
from millstream.sharing.planner.planner import Planner

__all__ = [
    "Action",
    "Bypass",
    "Cancellation",
    "Candidate",
    "Flow",
    "Operator",
    "Options",
    "Plan",
    "PlanInput",
    "Planner",
    "Refusal",
    "Rejection",
    "Strategy",
]
