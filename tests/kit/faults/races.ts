import { CallError, type Client } from '@linewarden/client'
import { closePermit, operateLine } from '@linewarden/contract'
import { generatedPlan } from '@linewarden/simulator'
import { outcomeOf } from '../refused.ts'
import { signedIn, startStack } from '../stack.ts'

export interface RaceResult {
  readonly races: number
  /** Ids that the field executed more than once. */
  readonly executedTwice: number
  /** Races of two closes in which not exactly one was executed. */
  readonly notExactlyOne: number
  /** Losers that were not told why in a refusal of the catalogue. */
  readonly unexplained: number
  readonly refusals: Readonly<Record<string, number>>
}

const gapMs = 10_500
const password = 'Duty-7391'

/**
 * Two people operate one line in the same moment, again and again, on many lines at once: both close with ids of their own, both send the
 * same id (one press that went out twice), or one closes while the other trips. The oracle is what the field executed.
 */
export async function raceTwoOperators({ races, lines }: { races: number; lines: number }): Promise<RaceResult> {
  let ahead = 0
  const now = () => Date.now() + ahead
  const plan = [
    {
      group: 'races',
      name: 'races',
      timeZone: 'UTC',
      standard: 'GB' as const,
      gateways: generatedPlan({ gateways: Math.ceil(lines / 10), linesPerGateway: 10, reportingPeriodMs: 500 }),
    },
  ]
  const stack = await startStack({ plan, clock: now, fleet: { now } })
  try {
    await stack.server.accounts.createAccount({ userName: 'second', password, kind: 'platform' })
    const first = stack.client
    const second = await signedIn(stack.url, { userName: 'second', password })
    const places = [...stack.fleet.gateways.values()].flatMap((gateway) => gateway.lines()).slice(0, lines)
    const refusals: Record<string, number> = {}
    const result = { races: 0, executedTwice: 0, notExactlyOne: 0, unexplained: 0 }

    while (result.races < races) {
      const round = places.slice(0, races - result.races)
      await inLanes(round, async (place) => void (await order(first, place, 'trip', crypto.randomUUID())))
      await until(() =>
        round.every(
          (place) => stack.fleet.gatewayOf(place.controllerId).line(place.controllerId, place.lineNo).position === 'open',
        ),
      )
      ahead += gapMs
      await Promise.all([...stack.fleet.gateways.values()].map((gateway) => gateway.report()))
      await stack.server.ingest.drained()
      await inLanes(round, (place) => untilPermitted(first, place))
      await inLanes(round, race)
      result.races += round.length
      ahead += gapMs
      await Promise.all([...stack.fleet.gateways.values()].map((gateway) => gateway.report()))
    }

    const times = new Map<string, number>()
    for (const { id, outcome } of stack.fleet.executed) if (outcome === 'executed') times.set(id, (times.get(id) ?? 0) + 1)
    result.executedTwice = [...times.values()].filter((count) => count > 1).length
    return { ...result, refusals }

    async function race(place: Place, index: number): Promise<void> {
      const ids = [crypto.randomUUID(), crypto.randomUUID()] as const
      const kind = (['two closes', 'same id', 'close and trip', 'two closes'] as const)[index % 4]
      const outcomes = await Promise.all([
        order(first, place, 'close', ids[0]),
        order(second, place, kind === 'close and trip' ? 'trip' : 'close', kind === 'same id' ? ids[0] : ids[1]),
      ])
      for (const outcome of outcomes) if (outcome !== 'done') refusals[outcome] = (refusals[outcome] ?? 0) + 1
      result.unexplained += outcomes.filter((outcome) => outcome !== 'done' && outcome !== 'close not permitted').length
      const won = outcomes.filter((outcome) => outcome === 'done').length
      const executedOf = () =>
        stack.fleet.executed.filter(({ id, outcome }) => ids.includes(id as never) && outcome === 'executed')
      if (kind === 'close and trip') return
      await until(() => executedOf().length > 0)
      if (executedOf().length !== 1 || won !== (kind === 'same id' ? 2 : 1)) result.notExactlyOne += 1
    }
  } finally {
    await stack.close()
  }
}

interface Place {
  readonly controllerId: string
  readonly lineNo: number
}

const params = ({ controllerId, lineNo }: Place) => ({ ControllerID: controllerId, LineNo: lineNo })

const order = (client: Client, place: Place, attr: 'trip' | 'close', CommandID: string): Promise<string> =>
  outcomeOf(client.call(operateLine, { params: { ...params(place), attr }, body: { CommandID, Reason: 'race' } }))

const untilPermitted = (client: Client, place: Place): Promise<void> =>
  until(async () => {
    try {
      return (await client.call(closePermit, { params: params(place) })).MayClose
    } catch (error) {
      if (error instanceof CallError) return false
      throw error
    }
  })

const lanes = 16

/** Some at a time, so that the machine is busy and nobody waits for a connection. */
async function inLanes<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as T, index)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Waits for a fact; gives up after half a minute. */
async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now()
  while (!(await fact())) {
    if (performance.now() - begun > 30_000) throw new Error('what a race waits for did not come')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
