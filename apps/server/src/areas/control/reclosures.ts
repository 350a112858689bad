import type { Reclosure, Request, setReclosure } from '@linewarden/contract'
import { Refusal, reclosureOperation } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import { every } from '../../lib/every.ts'
import { Mutex } from '../../lib/serial.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { saveReclosure } from '../../store/control/reclosure.ts'
import type { Database } from '../../store/core/database.ts'
import { type Gate, nameOf } from './gate.ts'
import { watchOpenings } from './openings.ts'
import { brokenRules, notPermitted, reclosureRecord } from './reclosure-records.ts'
import { ReclosureStates, tickEveryMs } from './reclosure-states.ts'
import { afterCommand, afterOpening } from './reclosure-steps.ts'
import { ReclosureTries, reclosing } from './reclosure-tries.ts'
import type { Stagger } from './stagger.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly gate: Pick<Gate, 'operate' | 'redeemGrant'>
  readonly stagger: Stagger
  readonly runner: Runner
  /** Settings of a line that an order may have changed, without the equipment having reported so. */
  readonly unconfirmed: (line: PlantLine) => ReadonlySet<string>
  readonly actorNow: (actor: { accountId: string; sessionId: string; address: string }) => Promise<Actor | null>
  readonly clock: () => number
  readonly log: Logger
}

/** Lines that close by themselves after a passing disturbance of the supply: through the gate, with the rights of whoever set it. */
export async function createReclosures(deps: Deps) {
  const { database, hub, gate, runner, unconfirmed, clock, log } = deps
  const states = await ReclosureStates.load(deps)
  const tries = new ReclosureTries({ ...deps, states })
  /** Tries that are in the line of turns. */
  const asked = new Set<number>()
  /** One step after the other, whoever takes it: two never write one line's state at once. */
  const steps = new Mutex()
  const openings = watchOpenings({
    hub,
    wants: (lineId) => states.of(lineId)?.enabled === true,
    causeReported(opening, cause) {
      const at = clock()
      later(() => states.step(opening.lineId, (setting) => afterOpening(opening, cause, setting, at)))
    },
  })
  const loop = every(tickEveryMs, tick, { log })
  runner.register({ kind: reclosing, takeOver: (claim) => steps.run(() => tries.takeOver(claim)) })

  return {
    of: (line: PlantLine): Reclosure => record(line),

    async set(actor: Actor, line: PlantLine, body: Request<typeof setReclosure>['body']): Promise<Reclosure> {
      const rules = brokenRules(line, body.DelaysS, unconfirmed(line))
      const now = clock()
      const audit = {
        ...by(actor, now, 'reclosure.set', tenantOfLine(line)),
        subject: aboutLine(line),
        after: { enabled: body.Enabled, delaysS: body.DelaysS },
      }
      if (body.Enabled && rules.length > 0) throw notPermitted(rules)
      if (body.Enabled) await gate.redeemGrant(actor, body.Grant ?? null, reclosureOperation(nameOf(line), body.DelaysS))
      const next = {
        lineId: line.id,
        enabled: body.Enabled,
        delaysS: body.DelaysS,
        accountId: actor.accountId,
        actor: actor.userName,
        version: body.Version,
      }
      // In its turn: a try that is being made neither overlooks it nor writes over it.
      await steps.run(async () => {
        const saved = await saveReclosure(database, next, audit)
        if (!saved) throw new Refusal('changed meanwhile')
        states.know(saved)
        openings.forget(line.id)
      })
      return record(line)
    },

    /** A command ended: a try that came to nothing counts; whoever closed the line begins anew; whoever tripped it ends the tries. */
    settled(command: StoredCommand): void {
      if (!states.of(command.lineId) || !(command.action === 'close' || command.action === 'trip')) return
      // Whatever cause is still told of an opening that a person ordered, it starts nothing.
      if (command.action === 'trip') openings.forget(command.lineId)
      later(() => states.step(command.lineId, (setting) => afterCommand(command, setting, clock())))
    },

    async close(): Promise<void> {
      const over = loop.close()
      openings.close()
      await over
      await steps.settled()
    },
  }

  /** Each line takes a turn of its own: whoever switches one off does not wait for all the others. */
  function tick(): void {
    const now = clock()
    for (const { lineId, enabled, state } of states.all()) {
      if (!enabled || state.nextAt === null || now < state.nextAt || asked.has(lineId)) continue
      asked.add(lineId)
      later(() => tries.attempt(lineId).finally(() => asked.delete(lineId)))
    }
  }

  function later(work: () => Promise<void>): void {
    void steps.run(work).catch((error) => log.error({ err: error }, 'a step of automatic re-closing failed'))
  }

  function record(line: PlantLine): Reclosure {
    return reclosureRecord(line, states.of(line.id), unconfirmed(line))
  }
}
