#include "orrery/modelica/session/streams.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {
namespace {

using Question = StreamConnections::Question;

// Flows below this part of their nominal value do not count in a mixture. If
// all are below it, the mixture is the mean over the possible inflows.
constexpr double kNegligible = 1e-7;

// The flow variable that carries a stream variable. The stream variable may be
// in a record of its connector.
Component& FlowOf(Session& session,
                  const Component& stream,
                  const SourceSpan& user) {
  Instance* connector = stream.owner;
  while (connector->component != nullptr &&
         connector->type->kind() != ast::ClassKind::kConnector) {
    connector = connector->component->owner;
  }
  Component* flow = nullptr;
  std::size_t count = 0;
  for (Component& candidate : connector->components) {
    if (candidate.member != nullptr && Elaborate(session, candidate) &&
        candidate.is_flow) {
      flow = &candidate;
      ++count;
    }
  }
  if (count != 1 || !flow->is_predefined() || !flow->shape.empty()) {
    session.Fail(user,
                 "cannot tell what flows of '" + stream.path() +
                     "': " + connector->type->name + " has " +
                     (count == 1 ? "no scalar variable"
                                 : std::to_string(count) + " variables") +
                     " with the prefix 'flow'",
                 "a connector with stream variables needs one flow variable, "
                 "a scalar");
  }
  return *flow;
}

// The number of an attribute if it is known during flattening.
std::optional<double> Known(Session& session, Expr attribute) {
  if (!attribute) {
    return std::nullopt;
  }
  const auto numbers = TryEvaluate(session, attribute);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

bool NeverEnters(Session& session, const Component& flow) {
  const auto most = Known(session, session.flat.variables[flow.variable].max);
  return most && *most <= 0;
}

bool NeverLeaves(Session& session, const Component& flow) {
  const auto least = Known(session, session.flat.variables[flow.variable].min);
  return least && *least >= 0;
}

}  // namespace

// Connections ---------------------------------------------------------------

std::size_t StreamConnections::Add(const End& end,
                                   const SourceSpan& span,
                                   const SharedText& path) {
  const auto [found, is_new] =
      member_of_.try_emplace(Key(end.stream, end.is_outside), members_.size());
  if (is_new) {
    members_.push_back({.end = end, .span = span, .path = path});
    joined_.Add();
  }
  return found->second;
}

void StreamConnections::Join(const End& a,
                             const End& b,
                             const SourceSpan& span,
                             const SharedText& path) {
  const std::size_t first = Add(a, span, path);
  joined_.Merge(first, Add(b, span, path));
}

// Questions -----------------------------------------------------------------

Expr StreamConnections::Ask(Question question,
                            Component& stream,
                            const SourceSpan& user) {
  const bool is_actual = question == Question::kActualStream;
  const auto [found, is_new] =
      asked_of_.try_emplace(Key(&stream, is_actual), asked_.size());
  if (is_new) {
    const Expr symbol = session_.graph.Symbol(
        {.name =
             (is_actual ? "actualStream(" : "inStream(") + stream.path() + ")",
         .type = ValueType::kReal,
         .shape = stream.shape});
    asked_.push_back({.question = question,
                      .stream = &stream,
                      .symbol = symbol,
                      .user = user});
  }
  return asked_[found->second].symbol;
}

Expr StreamConnections::InStream(Component& stream, const SourceSpan& user) {
  return Ask(Question::kInStream, stream, user);
}

// Answers -------------------------------------------------------------------

void StreamConnections::Guarded(const std::function<void()>& work) const {
  try {
    work();
  } catch (const Abandoned&) {
    // Reported; the next one may have an error of its own.
  }
}

void StreamConnections::Resolve() {
  sets_.resize(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    sets_[joined_.Find(i)].push_back(i);
  }
  // The outflow through a component's own connector comes from its parts.
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const StreamMember& member = members_[i];
    if (member.end.is_outside) {
      Guarded([&] {
        session_.flat.equations.push_back({.left = member.end.stream->symbol,
                                           .right = Inflowing(i),
                                           .span = member.span,
                                           .path = member.path});
      });
    }
  }
  // The list grows: an answer may need others.
  std::size_t answered = 0;
  while (answered < asked_.size()) {
    const Asked asked = asked_[answered++];
    AddVariable(asked);
    Guarded([&] {
      session_.flat.equations.push_back({.left = asked.symbol,
                                         .right = FormulaOf(asked),
                                         .span = asked.user,
                                         .path = asked.stream->owner->path});
    });
  }
}

void StreamConnections::AddVariable(const Asked& asked) {
  const Variable stream = session_.flat.variables[asked.stream->variable];
  Variable& variable =
      AddMadeUp(session_.flat, asked.symbol, stream.notes->span);
  variable.start = stream.start;
  variable.nominal = stream.nominal;
  variable.notes.Edit().unit = stream.notes->unit;
}

Expr StreamConnections::FormulaOf(const Asked& asked) {
  Component& stream = *asked.stream;
  if (asked.question == Question::kInStream) {
    const auto found = member_of_.find(Key(&stream, false));
    return found == member_of_.end() ? stream.symbol : Inflowing(found->second);
  }
  const Component& flow = FlowOf(session_, stream, asked.user);
  if (NeverEnters(session_, flow)) {
    return stream.symbol;
  }
  const Expr in = InStream(stream, asked.user);
  if (NeverLeaves(session_, flow)) {
    return in;
  }
  // The transported quantity, flow*actualStream(stream), is continuous where
  // the flow reverses, so no event is needed.
  ExprGraph& graph = session_.graph;
  const Expr enters = graph.Binary(Op::kLess, graph.Constant(0), flow.symbol);
  return graph.NoEvent(graph.Select(enters, in, stream.symbol));
}

// The mixture that the other members of its set would send into a member.
Expr StreamConnections::Inflowing(std::size_t without) {
  const std::vector<std::size_t>& set = sets_[joined_.Find(without)];
  std::vector<std::size_t> others;
  std::ranges::copy_if(set, std::back_inserter(others), [&](std::size_t i) {
    return i != without;
  });
  if (others.size() > 1) {
    std::vector<std::size_t> entering;
    std::ranges::copy_if(others,
                         std::back_inserter(entering),
                         [&](std::size_t i) { return MayEnter(members_[i]); });
    if (!entering.empty()) {
      others = std::move(entering);
    }
  }
  if (others.empty()) {
    return members_[without].end.stream->symbol;
  }
  std::vector<Inflow> inflows;
  inflows.reserve(others.size());
  for (const std::size_t i : others) {
    inflows.push_back(InflowOf(members_[i]));
  }
  return inflows.size() == 1 ? inflows.front().value : Mixture(inflows);
}

// True if a member may send something into its set.
bool StreamConnections::MayEnter(const StreamMember& member) {
  const Component& flow = FlowOf(session_, *member.end.stream, member.span);
  return member.end.is_outside ? !NeverEnters(session_, flow)
                               : !NeverLeaves(session_, flow);
}

StreamConnections::Inflow StreamConnections::InflowOf(
    const StreamMember& member) {
  Component& stream = *member.end.stream;
  const Component& flow = FlowOf(session_, stream, member.span);
  const auto nominal =
      Known(session_, session_.flat.variables[flow.variable].nominal);
  return {.value = member.end.is_outside ? InStream(stream, member.span)
                                         : stream.symbol,
          .rate = member.end.is_outside ? flow.symbol : -flow.symbol,
          .nominal = nominal.value_or(1)};
}

// The mean of the inflows, weighted with max(rate, 0). As all rates go to 0,
// the weights become equal, so that the mean stays defined and smooth
// (specification 3.6, section 15.2).
Expr StreamConnections::Mixture(const std::vector<Inflow>& inflows) {
  ExprGraph& graph = session_.graph;
  const Expr zero = graph.Constant(0);
  const Expr one = graph.Constant(1);
  double least = inflows.front().nominal;
  Expr total;
  for (const Inflow& inflow : inflows) {
    least = std::min(least, inflow.nominal);
    const Expr rate = graph.Binary(Op::kMax, inflow.rate, zero);
    total = total ? total + rate : rate;
  }
  const Expr negligible = graph.Constant(kNegligible * least);
  const Expr ratio = total / negligible;
  const Expr share =
      graph.Select(graph.Binary(Op::kLess, ratio, one),
                   ratio * ratio * (graph.Constant(3) - (ratio + ratio)),
                   one);
  Expr weights;
  Expr weighted;
  for (const Inflow& inflow : inflows) {
    const Expr weight = share * graph.Binary(Op::kMax, inflow.rate, zero) +
                        (one - share) * negligible;
    weights = weights ? weights + weight : weight;
    const Expr term = weight * inflow.value;
    weighted = weighted ? weighted + term : term;
  }
  return graph.NoEvent(weighted / weights);
}

}  // namespace orrery::modelica::internal
