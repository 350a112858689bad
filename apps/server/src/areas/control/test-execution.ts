import { aboutNothing } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { OutgoingCommand } from '../../field/orders/outgoing.ts'
import type { CommandResult, Committed, StateReport } from '../../plant/hub.ts'
import { Hub } from '../../plant/hub.ts'
import type { PlantGateway, PlantLine } from '../../plant/plant.ts'
import { liveMessages } from '../../plant/test-topics.ts'
import { insertAccount } from '../../store/account/account.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import * as stored from '../../store/control/command.ts'
import type { Database } from '../../store/core/database.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { startExecution } from './execution.ts'

type Early = (line: (lineNo: number) => PlantLine) => Committed

/** What leaves for the equipment, when, and what counts as proof: the real dispatcher over a real database; only the wire is ours, and the time. */
export class TestExecution {
  /** Unix ms. */
  now = Date.now()
  accountId = ''
  /** What the log warned of, by order. */
  readonly warned: string[] = []
  /** What the log has as errors; one that a test does not take out fails it when it closes. */
  readonly errors: unknown[] = []
  #db: TestDatabase | null = null
  #server: Running | null = null
  #beside: Running | null = null

  /** A breaker of 31 lines behind G-1, and a second gateway with nothing. */
  async open(): Promise<void> {
    this.#db = await testDatabase()
    await sql`with p as (insert into project (city_id, name, time_zone) select min(city_id), 'p', 'UTC' from city returning project_id),
      g as (insert into gateway (project_id, number, name, secret_hash) select project_id, no, 'g', 'x' from p, unnest(array['G-1', 'G-2']) no
        returning gateway_id, number),
      d as (insert into device (gateway_id, controller_id, name, family, model)
        select gateway_id, 'D', 'd', 'breaker3p', '3P' from g where number = 'G-1' returning device_id)
      insert into line (device_id, line_no, name) select device_id, no, 'l' from d, generate_series(1, 31) no`.execute(
      this.database.general,
    )
    const account = { userName: 'a', nickName: '', roleId: null, passwordHash: 'x', controlHash: null, projectIds: [] }
    this.accountId = (await insertAccount(this.database.general, { ...account, kind: 'platform' }, null)) ?? ''
  }

  async drop(): Promise<void> {
    await this.#db?.drop()
  }

  /** A server that has just started on this database. `early`: what gateways said before it listened. */
  async start(early: Early = () => ({})): Promise<void> {
    this.#server = await serve(this.#of, early)
  }

  /** Another one that starts on it while the first goes on: each has the commits that it has heard of. */
  async startBeside(): Promise<Running> {
    this.#beside = await serve(this.#of, () => ({}))
    return this.#beside
  }

  async close(): Promise<void> {
    await this.#server?.execution.close()
    await this.#beside?.execution.close()
    this.#beside = null
    for (const error of this.errors.splice(0)) throw error
  }

  get #of(): Of {
    return { database: this.database, warned: this.warned, errors: this.errors, clock: () => this.now }
  }
  get database(): Database {
    if (!this.#db) throw new Error('it is not open')
    return this.#db.database
  }
  get plant() {
    return this.#running.plant
  }
  get hub() {
    return this.#running.hub
  }
  get execution() {
    return this.#running.execution
  }
  /** Gateways that hang up before the message leaves. */
  get gone() {
    return this.#running.gone
  }
  readonly line = (lineNo: number): PlantLine => this.#running.line(lineNo)
  /** How often it left. */
  readonly sent = (id: string): number => this.#running.wire.filter(({ commandId }) => commandId === id).length

  /** Everything is reported just now, and nothing stands against the action. */
  readonly ready = (lineNo: number, action: ActionKey): void => {
    const line = this.line(lineNo)
    line.device.gateway.link = 'online'
    line.liveAt = line.liveReceivedAt = this.now
    line.states.set('position', action === 'close' ? 'open' : 'closed')
    line.states.set('lock.local', 'off').set('trip.cause', 'none').set('selfTest', 'passed')
  }

  readonly authorised = async (
    lineNo: number,
    action: ActionKey,
    commandId: string = crypto.randomUUID(),
  ): Promise<StoredCommand> => {
    this.ready(lineNo, action)
    const result = await stored.authorise(
      this.database,
      {
        commandId,
        lineId: this.line(lineNo).id,
        action,
        accountId: this.accountId,
        actor: 'a',
        source: 'console',
        reason: '',
        issuedAt: this.now,
        deadline: this.now + (action === 'trip' ? 30_000 : 5_000),
        operationId: null,
      },
      { at: this.now, actor: 'a', address: '', action: 'line.trip', subject: aboutNothing, outcome: 'authorised' },
    )
    if (result.is !== 'new') throw new Error(result.is)
    return result.command
  }

  readonly begun = async (lineNo: number, action: ActionKey): Promise<string> => {
    const command = await this.authorised(lineNo, action)
    await this.execution.begin(command)
    return command.commandId
  }

  readonly ofId = async (id: string) => {
    const command = await stored.commandById(this.database.control, id)
    return { state: command?.state, outcome: command?.outcome }
  }

  /** The line reports its position now. */
  readonly position = async (lineNo: number, value: 'open' | 'closed'): Promise<void> => {
    this.hub.publish({ reports: [this.reportOf(this.line(lineNo), value)] })
    await this.execution.tick()
  }

  readonly reportOf = (line: PlantLine, value: string): StateReport => ({
    line,
    state: 'position',
    value,
    first: false,
    changed: true,
    deviceAt: this.now,
    receivedAt: this.now,
  })

  readonly answers = async (lineNo: number, commandId: string, answer: Partial<CommandResult>): Promise<void> => {
    const { gateway } = this.line(lineNo).device
    const result = { commandId, gateway, status: 'accepted', reason: null, tripMs: null, receivedAt: this.now } as const
    this.hub.publish({ results: [{ ...result, ...answer }] })
    await this.execution.tick()
  }

  /** Does something in the moment between "sent" being stored and the message leaving. */
  readonly whenSent = (commandId: string, work: () => void): void => {
    const stop = this.hub.subscribe((committed) => {
      if (!liveMessages('command', committed).some(({ command }) => command.CommandID === commandId && command.State === 'sent'))
        return
      stop()
      work()
    })
  }

  get #running() {
    if (!this.#server) throw new Error('no server was started')
    return this.#server
  }
}

type Running = Awaited<ReturnType<typeof serve>>

interface Of {
  readonly database: Database
  readonly warned: string[]
  readonly errors: unknown[]
  readonly clock: () => number
}

async function serve({ database, warned, errors, clock }: Of, early: Early) {
  const plant = await loadPlant(database)
  const wire: OutgoingCommand[] = []
  const gone = new Set<PlantGateway>()
  const hub = new Hub((error) => {
    throw error
  })
  const line = (lineNo: number): PlantLine => {
    const found = plant.lineAt('D', lineNo)
    if (!found) throw new Error(`no line ${lineNo}`)
    return found
  }
  hub.keepEarly()
  hub.publish(early(line))
  const log = {
    error: ({ err }: { err: unknown }) => errors.push(err),
    warn: ({ commandId }: StoredCommand) => warned.push(commandId),
  } as unknown as Logger
  const execution = await startExecution({
    database,
    plant,
    hub,
    ingest: {
      reach: () => 'yes',
      hasValidPosition: () => true,
      send(command) {
        if (gone.has(command.gateway)) return 'no_session'
        wire.push(command)
        return 'sent'
      },
    },
    quietUntil: () => null,
    clock,
    log,
    onSettled() {},
  })
  hub.forgetEarly()
  return { plant, hub, line, gone, wire, execution }
}
