import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Actor } from '../../access/actor.ts'
import { Runner } from '../../jobs/runner.ts'
import { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { groupOperationById } from '../../store/control/group-operation.ts'
import type { Database } from '../../store/core/database.ts'
import { createGroupOperations } from './group-operations.ts'
import { createStagger } from './stagger.ts'
import { testLines } from './test-lines.ts'

/** The time of every server, Unix ms. */
export const now = 60_000
/** The remembered device that the session is on. */
export const device = '1'
/** A server that is no more. */
export const gone = crypto.randomUUID()

/** Groups through the one gate, to lines that nothing stands against, on a real database. */
export class TestGroupOperations {
  /** What left for the equipment. */
  readonly left: StoredCommand[] = []
  readonly errors: unknown[] = []
  /** The newest entry of the log before the test. */
  logged = '0'
  #house: Awaited<ReturnType<typeof testLines>> | null = null
  #servers: { close(): Promise<void> }[] = []
  /** Transactions of somebody else's that are still in the midst of it. */
  readonly #locks = new Set<() => Promise<void>>()

  async open(): Promise<void> {
    this.#house = await testLines()
    for (const line of this.plant.lines.values()) {
      line.device.gateway.link = 'online'
      line.liveAt = now
      line.liveReceivedAt = now
      line.states.set('trip.cause', 'none').set('lock.local', 'off').set('selfTest', 'notDone')
    }
  }

  async drop(): Promise<void> {
    await this.#house?.drop()
  }

  /** Every line is open, and nothing was ever ordered. */
  async begin(): Promise<void> {
    this.left.length = 0
    this.errors.length = 0
    this.#servers = []
    for (const line of this.plant.lines.values()) line.states.set('position', 'open')
    this.line(1, 2).device.gateway.project.ownerId = null
    const { general } = this.database
    const { accountId, sessionId } = this.actor
    await this.#mend()
    for (const query of [
      sql`truncate command, operation_run, due_work, session, remember cascade`,
      sql`insert into remember (remember_id, account_id, handle_hash, created_at, used_at, expires_at, address)
        overriding system value values (${device}, ${accountId}, 'next', now(), now(), now(), '')`,
      sql`insert into remember_spent (handle_hash, remember_id) values ('spent', ${device})`,
      sql`insert into session (session_id, account_id, token, created_at, last_used_at, address, remember_id)
        overriding system value values (${sessionId}, ${accountId}, '', now(), now(), '', ${device})`,
    ])
      await query.execute(general)
    const { newest } = await general
      .selectFrom('audit')
      .select(({ fn }) => fn.max('audit_id').as('newest'))
      .executeTakeFirstOrThrow()
    this.logged = newest ?? '0'
  }

  /** The database is back before the servers give back what they hold. */
  async end(): Promise<void> {
    for (const release of this.#locks) await release()
    await this.#mend()
    for (const server of this.#servers) await server.close()
  }

  async #mend(): Promise<void> {
    await sql`drop function if exists failing() cascade`.execute(this.database.general)
    await sql`drop sequence if exists fails`.execute(this.database.general)
  }

  get database(): Database {
    return this.#opened.database
  }
  get plant(): Plant {
    return this.#opened.plant
  }
  get actor(): Actor {
    return this.#opened.actor
  }
  line(lineNo: number, project?: 1 | 2): PlantLine {
    return this.#opened.line(lineNo, project)
  }
  get #opened() {
    if (!this.#house) throw new Error('it is not open')
    return this.#house
  }

  readonly placed = (...lineNos: number[]) => lineNos.map((lineNo) => this.line(lineNo))
  readonly everyLine = () => [...this.plant.lines.values()]

  readonly gateOf = (reach: 'yes' | 'not_connected' = 'yes', clock = () => now) =>
    this.#opened.gate({ left: this.left, clock, reach })

  /** A server with this plant; several share the database. */
  readonly serve = async (parts: Partial<Parameters<typeof createGroupOperations>[0]> = {}) => {
    const log = { error: (error: unknown) => this.errors.push(error) } as never
    const runner = new Runner({ database: this.database, log })
    const operations = createGroupOperations({
      database: this.database,
      plant: this.plant,
      hub: new Hub((error) => this.errors.push(error)),
      gate: this.gateOf(),
      stagger: createStagger(() => performance.now()),
      runner,
      actorNow: async (actor) => actor,
      clock: () => now,
      log,
      ...parts,
    })
    await runner.start()
    const server = {
      ...operations,
      /** All that it does every few seconds. */
      async sweep() {
        await runner.renew()
        await operations.sweep()
        await runner.look()
      },
      async close() {
        await operations.close()
        await runner.close()
      },
    }
    this.#servers.push(server)
    return server
  }

  /** Each line long after the one before, unless it is woken. */
  readonly start = async (
    operations: Pick<Awaited<ReturnType<TestGroupOperations['serve']>>, 'start'>,
    lines = this.placed(1, 2, 3),
    action: 'close' | 'trip' | 'selfTest' = 'close',
  ): Promise<string> => {
    const RunID = crypto.randomUUID()
    await operations.start(this.actor, action, lines, { RunID, Reason: 'x', StaggerMs: 60_000 })
    return RunID
  }

  readonly operation = (operationId: string) => groupOperationById(this.database, operationId)
  readonly statesOf = async (operationId: string) => (await this.operation(operationId))?.lines.map(({ state }) => state)
  readonly firstOrdered = (operationId: string) =>
    vi.waitFor(async () => expect((await this.statesOf(operationId))?.[0]).toBe('ordered'))
  readonly ended = (operationId: string) =>
    vi.waitFor(async () => expect((await this.operation(operationId))?.endedAt).not.toBeNull())

  /** What the log tells of refusals since the test began. */
  readonly refusedIn = () =>
    this.database.general
      .selectFrom('audit')
      .select(['actor', 'action', 'target', 'after'])
      .where('outcome', '=', 'refused')
      .where('audit_id', '>', this.logged)
      .orderBy('audit_id')
      .execute()

  /** A transaction of somebody else's, in the midst of it. */
  readonly lock = async (query: string) => {
    const end = await this.#opened.lock(query)
    const release = async (how: 'rollback' | 'commit' = 'rollback') => {
      if (this.#locks.delete(release)) await end(how)
    }
    this.#locks.add(release)
    return release
  }

  readonly waiting = (count: number) => this.#opened.waiting(count)

  /** The database fails the first few times that this table is written so. */
  readonly failing = (table: string, times: number, when = 'true') =>
    sql
      .raw(`
      create sequence fails;
      create function failing() returns trigger language plpgsql as $$
        begin if ${when} and nextval('fails') <= ${times} then raise 'the database was away'; end if; return new; end $$;
      create trigger failing before update on ${table} for each row execute function failing()`)
      .execute(this.database.general)

  readonly crash = () => sql`update due_work set lease_until = now()`.execute(this.database.general)

  /** A group that nobody carries. */
  readonly lost = async (operationId: string = crypto.randomUUID()) => {
    await sql`insert into operation_run (run_id, action, account_id, actor, reason, stagger_ms, started_at)
      values (${operationId}, 'close', ${this.actor.accountId}, 'a', 'x', 1000, now())`.execute(this.database.general)
    await sql`insert into due_work (work_id, kind, key, due_at, holder, lease_until, fence)
      values (${operationId}, 'groupOperation', ${operationId}, now(), ${gone}, now(), 1)`.execute(this.database.general)
    return operationId
  }
}

/** Turns wait where the rights of now are asked for; `turns`: how many. */
export function delayedTurn(then: (actor: Actor) => Actor = (actor) => actor) {
  const open: { go(): void; turns: number } = { go() {}, turns: 0 }
  const asked = new Promise<void>((resolve) => {
    open.go = resolve
  })
  return Object.assign(open, {
    async actorNow(actor: Actor) {
      open.turns += 1
      await asked
      return then(actor)
    },
  })
}
