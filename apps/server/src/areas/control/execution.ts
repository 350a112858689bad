import { commandSteps } from '@linewarden/contract'
import type { CommandFact } from '@linewarden/rules/control'
import { canLeave, foldCommand, isFinal } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import type { Ingest } from '../../field/ingest.ts'
import { Dispatcher } from '../../field/orders/dispatcher.ts'
import { blockOutcome, track } from '../../field/orders/interlocks.ts'
import { Batched } from '../../lib/batched.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { Step, StoredCommand } from '../../store/control/command.ts'
import * as stored from '../../store/control/command.ts'
import { saveEachLife } from '../../store/control/commands-together.ts'
import { blockOutcomesOf } from '../../store/control/order-block.ts'
import type { Database } from '../../store/core/database.ts'
import { isRefusedByDatabase } from '../../store/core/refused.ts'
import { CommandEvidence } from './command-evidence.ts'
import { commandRecord } from './records.ts'
import { watchTests } from './watched-tests.ts'

export type Execution = Awaited<ReturnType<typeof startExecution>>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'send' | 'reach' | 'hasValidPosition'>
  /** End of the quiet hours that run now, in which no test may cut the supply. */
  readonly quietUntil: (line: PlantLine, now: number) => number | null
  readonly clock: () => number
  readonly log: Logger
  /** A command came to an end, or to "unknown"; after it was stored. */
  readonly onSettled: (command: StoredCommand) => void
}

/** So many steps are stored at once; a second batch waits for no first. */
const together = { most: 200, lanes: 2, oneByOne: isRefusedByDatabase }

/** Carries actions to lines. Each waits for nothing but itself, and a trip is tried again until its deadline: tripping twice does no harm. */
export async function startExecution(deps: Deps) {
  const { database, plant, hub, ingest, quietUntil, clock, onSettled } = deps
  const lineOf = ({ lineId }: StoredCommand): PlantLine | undefined => plant.lines.get(lineId)
  const watched = watchTests()
  const evidence = new CommandEvidence({ plant, ingest, watched, clock })
  // Steps of different commands that come at the same time; two of one command come one after the other.
  const steps = new Batched((of: readonly Step[]) => saveEachLife(database, of), together)

  const dispatcher = new Dispatcher<StoredCommand, CommandFact>(
    {
      fold: foldCommand,
      async save(of) {
        const [only] = of
        if (!only || of.length > 1) return stored.saveLives(database, of)
        const otherwise = await steps.run(only)
        return otherwise ? [otherwise] : []
      },
      blockOutcome(command, now) {
        const line = lineOf(command)
        if (!line) return null
        const circumstances = { reach: ingest.reach(line.device.gateway, line.device), quietUntil: quietUntil(line, now) }
        return blockOutcome(command.action, line, command.fence, circumstances, now)
      },
      async storedBlockOutcomes(commands, now) {
        const outcomes = await Promise.all(
          commands.map(async ({ commandId, lineId, action }) => {
            const outcome = (await blockOutcomesOf(database.control, action, [lineId], now)).get(lineId)
            return outcome === undefined ? [] : [[commandId, outcome] as const]
          }),
        )
        return new Map(outcomes.flat())
      },
      reaches(command) {
        const line = lineOf(command)
        return line !== undefined && canLeave(ingest.reach(line.device.gateway, line.device))
      },
      transmit,
      again: ({ action }) => action === 'trip',
      queueOf: ({ commandId }) => commandId,
      placeOf: ({ lineId }) => String(lineId),
      gatewayOf: (command) => lineOf(command)?.device.gateway,
      evidenceIn: (committed, at, byId) => evidence.in(committed, { at, byId }),
      overdue: (before) => stored.overdueCommands(database, before),
      announce,
      settled: onSettled,
    },
    deps,
  )
  await dispatcher.start(() => stored.openCommands(database))

  return {
    /** Takes an authorised command and sends it at once, unless somebody has begun it already. Answers it as it stands then. */
    async begin(command: StoredCommand): Promise<StoredCommand> {
      const { commandId } = command
      await dispatcher.begin([command])
      return dispatcher.openById(commandId) ?? (await stored.commandById(database.control, commandId)) ?? command
    },
    /** Moves time on for every open command; runs by itself every quarter of a second. */
    tick: dispatcher.tick,
    sweep: dispatcher.sweep,
    close: dispatcher.close,
  }

  function transmit(command: StoredCommand): 'sent' | 'no_session' {
    const line = lineOf(command)
    if (!line) return 'no_session'
    const { commandId, action, issuedAt, deadline, fence, sentAt } = command
    const { gateway, wireId } = line.device
    const target = { gateway, wireId, lineNo: line.lineNo }
    if (action === 'selfTest') watched.begin(commandId, line)
    const outcome = ingest.send({ ...target, commandId, action, settings: null, issuedAt, deadline, fence })
    if (outcome === 'sent' && action !== 'silence') line.lastOperationAt = Math.max(line.lastOperationAt ?? 0, sentAt ?? 0)
    return outcome
  }

  function announce(commands: readonly StoredCommand[]): void {
    for (const command of commands) {
      const line = lineOf(command)
      if (!line) continue
      if (isFinal(command.state)) watched.end(command.commandId, line)
      track(line, command, command.action)
      hub.publish({
        lines: [line],
        live: [
          {
            to: { gateway: line.device.gateway },
            needs: commandSteps,
            message: { t: 'command', command: commandRecord(command, line) },
          },
        ],
      })
    }
  }
}
