import type { EventRecord } from '@linewarden/contract'
import { acknowledgeEvents, acknowledgeIncident, maxAcknowledged, shelveEvents, unshelveEvents } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import type { AlarmState } from '@linewarden/rules/alarm'
import { isShelved, isUnacknowledged, refusalToShelve } from '@linewarden/rules/alarm'
import { api } from '../../../app/net/api.ts'
import { asShown, incidentAsShown } from '../as-shown.ts'

/** What became of events that somebody did something to together. */
export const outcomes = [
  'acknowledged',
  'shelved',
  'unshelved',
  'already',
  'raisedAgain',
  'gone',
  'notPermitted',
  'over',
  'danger',
  'administrators',
  'alreadyShelved',
  'tooOften',
  'notShelved',
] as const
export type Outcome = (typeof outcomes)[number]

export interface Result {
  readonly counts: ReadonlyMap<Outcome, number>
  /** Of some of them which; not of all where they are many. */
  readonly named: readonly { readonly EventID: string; readonly Outcome: Outcome }[]
}

/** Acknowledges events, a root with what is folded under it, as many calls as that takes. What the server refuses is thrown. */
export async function acknowledgeAll(events: readonly EventRecord[]): Promise<Result> {
  const results: Result[] = []
  const alone = events.filter((event) => incidentAsShown(event) === null)
  for (let from = 0; from < alone.length; from += maxAcknowledged) {
    const body = asShown(alone.slice(from, from + maxAcknowledged))
    results.push(acknowledgedResult(await api.call(acknowledgeEvents, { body })))
  }
  for (const event of events) {
    const incident = incidentAsShown(event)
    if (incident) results.push(acknowledgedResult(await api.call(acknowledgeIncident, incident)))
  }
  return added(results)
}

function added(results: readonly Result[]): Result {
  const counts = new Map<Outcome, number>()
  for (const [outcome, count] of results.flatMap((each) => [...each.counts]))
    counts.set(outcome, (counts.get(outcome) ?? 0) + count)
  return { counts, named: results.flatMap(({ named }) => named) }
}

/** What the server answers to either way of acknowledging several. */
export function acknowledgedResult(reply: {
  readonly Acknowledged: number
  readonly Already: number
  readonly RaisedAgain: number
  readonly Gone: number
  readonly NotPermitted: number
  readonly Outcomes: Result['named']
}): Result {
  const { Acknowledged, Already, RaisedAgain, Gone, NotPermitted, Outcomes } = reply
  const all = [
    ['acknowledged', Acknowledged],
    ['already', Already],
    ['raisedAgain', RaisedAgain],
    ['gone', Gone],
    ['notPermitted', NotPermitted],
  ] as const
  return { counts: new Map(all.filter(([, count]) => count > 0)), named: Outcomes }
}

/** Puts events on the shelf. */
export async function shelveAll(events: readonly EventRecord[], Minutes: number, Reason: string): Promise<Result> {
  const { Outcomes } = await api.call(shelveEvents, { body: { EventIDs: idsOf(events), Minutes, Reason } })
  return { counts: countsOf(Outcomes), named: Outcomes }
}

/** Takes events off the shelf. */
export async function unshelveAll(events: readonly EventRecord[]): Promise<Result> {
  const { Outcomes } = await api.call(unshelveEvents, { body: { EventIDs: idsOf(events) } })
  return { counts: countsOf(Outcomes), named: Outcomes }
}

/** Whether everything was done that was wanted. */
export const isAllDone = ({ counts }: Result): boolean =>
  [...counts.keys()].every((each) => each === 'acknowledged' || each === 'shelved' || each === 'unshelved')

export const waits = ({ State }: Pick<EventRecord, 'State'>): boolean => isUnacknowledged(State)

export const isOnShelf = ({ Shelved }: Pick<EventRecord, 'Shelved'>, now: number): boolean =>
  isShelved(Shelved?.Until ?? null, now)

/** Why an event cannot be shelved, as far as a console knows: how often it was, the server does. Null: nothing is against it. */
export const againstShelving = (
  event: { readonly Key: string; readonly Priority: Priority; readonly State: AlarmState | null } & Pick<EventRecord, 'Shelved'>,
  byAdministrator: boolean,
  now: number,
) =>
  refusalToShelve(
    {
      key: event.Key,
      priority: event.Priority,
      state: event.State,
      shelvedUntil: event.Shelved?.Until ?? null,
      shelvings: 0,
    },
    byAdministrator,
    now,
  )

const idsOf = (events: readonly EventRecord[]) => events.map(({ EventID }) => EventID)

function countsOf(named: Result['named']): ReadonlyMap<Outcome, number> {
  const counts = new Map<Outcome, number>()
  for (const { Outcome } of named) counts.set(Outcome, (counts.get(Outcome) ?? 0) + 1)
  return counts
}
