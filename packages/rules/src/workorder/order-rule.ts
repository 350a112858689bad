import type { Priority } from '@linewarden/equipment'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'

/** So many orders rules make of a project within an hour; what comes beyond joins one summary. */
export const ruleOrdersPerHour = 20
export const maxRulesOfProject = 50
export const maxRuleAfterMin = 1_440
export const maxRotaPeople = 20
/** Of an alarm that is older nobody is sent: the server was away for longer than that, or the rule is new. */
export const ruleCatchUpMs = dayMs
export const rulePreviewDays = 30

/** As what it is raised that rules would have made more orders than an hour may have. */
export const orderFloodKey = 'order.flood'

/** Which alarms a rule is about. */
export interface RuleOfOrders {
  /** Empty: whichever. */
  readonly keys: readonly string[]
  readonly priorities: readonly Priority[]
  /** So long it stands unacknowledged; 0: at once. */
  readonly afterMin: number
}

/** An alarm as far as rules decide by it. Unix ms. */
export interface RuledAlarm {
  readonly key: string
  readonly priority: Priority
  /** When it was raised last. */
  readonly raisedAt: number
  readonly acknowledgedAt: number | null
  readonly returnedAt: number | null
  /** A child of an incident, or out of service: whoever sees to its root sees to it. */
  readonly isFolded: boolean
}

/** When a rule sends somebody for an alarm, if nothing happens to it; null: never, as it is now. */
export function ruleDueAt(rule: RuleOfOrders, alarm: RuledAlarm): number | null {
  if (alarm.isFolded) return null
  if (rule.keys.length > 0 && !rule.keys.includes(alarm.key)) return null
  if (rule.priorities.length > 0 && !rule.priorities.includes(alarm.priority)) return null
  const dueAt = alarm.raisedAt + rule.afterMin * minuteMs
  if (rule.afterMin === 0) return dueAt
  const endedAt = Math.min(alarm.acknowledgedAt ?? Number.POSITIVE_INFINITY, alarm.returnedAt ?? Number.POSITIVE_INFINITY)
  return endedAt > dueAt ? dueAt : null
}

/** People who are on duty one after the other. */
export interface Rota {
  readonly people: readonly string[]
  readonly everyDays: number
  /** The first day of the first of them, since 1970. */
  readonly fromDay: number
}

/** Who is on duty on a day of the project; before its first day that is the first. Null: it names nobody. */
export function onDuty({ people, everyDays, fromDay }: Rota, day: number): string | null {
  const turn = Math.max(0, Math.floor((day - fromDay) / everyDays))
  return people[turn % Math.max(1, people.length)] ?? null
}

/** An alarm of the last days, with where it was. */
export interface PastAlarm extends RuledAlarm {
  /** Of one place and key there is one order at a time. */
  readonly place: string
}

/** What a rule would have done. */
export interface RulePreview {
  readonly alarms: number
  readonly orders: number
  readonly joined: number
  /** Alarms beyond the limit of an hour: they would have been in a summary. */
  readonly summarised: number
  readonly summaries: number
  /** Orders by place and key, the most first. */
  readonly worst: readonly { readonly place: string; readonly times: number }[]
}

const worstShown = 10

/**
 * What a rule would have made of the past: an alarm joins an order of its place and key that was made so few days before as an order may take,
 * because nobody knows when somebody would have closed it.
 */
export function previewOrders(rule: RuleOfOrders, validDays: number, past: readonly PastAlarm[]): RulePreview {
  const due = past
    .flatMap((alarm) => {
      const at = ruleDueAt(rule, alarm)
      return at === null ? [] : { place: `${alarm.place} ${alarm.key}`, at }
    })
    .toSorted((a, b) => a.at - b.at)
  const openUntil = new Map<string, number>()
  const times = new Map<string, number>()
  const made: number[] = []
  let [joined, summarised, summaries, summaryUntil] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  for (const { place, at } of due) {
    times.set(place, (times.get(place) ?? 0) + 1)
    if (at < (openUntil.get(place) ?? Number.NEGATIVE_INFINITY)) joined++
    else if (made.filter((each) => each > at - hourMs).length < ruleOrdersPerHour) {
      made.push(at)
      openUntil.set(place, at + validDays * dayMs)
    } else {
      summarised++
      if (at >= summaryUntil) {
        summaries++
        summaryUntil = at + hourMs
      }
    }
  }
  const worst = [...times].map(([place, count]) => ({ place, times: count })).toSorted((a, b) => b.times - a.times)
  return { alarms: past.length, orders: made.length, joined, summarised, summaries, worst: worst.slice(0, worstShown) }
}

export type OrderRuleProblem =
  | { readonly key: 'order rule nameless'; readonly field: 'Name' }
  | { readonly key: 'order rule of everything'; readonly field: 'Keys' }
  | { readonly key: 'order rule two ways'; readonly field: 'PersonID' }

/** What stands against a rule as it was written, beside what an order itself needs. */
export function orderRuleProblems(form: {
  readonly name: string
  readonly keys: readonly string[]
  readonly priorities: readonly Priority[]
  readonly personId: string | null
  readonly rota: Rota | null
}): readonly OrderRuleProblem[] {
  const problems: OrderRuleProblem[] = []
  if (form.name.trim() === '') problems.push({ key: 'order rule nameless', field: 'Name' })
  if (form.keys.length + form.priorities.length === 0) problems.push({ key: 'order rule of everything', field: 'Keys' })
  if (form.personId !== null && form.rota !== null) problems.push({ key: 'order rule two ways', field: 'PersonID' })
  return problems
}
