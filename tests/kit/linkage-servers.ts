import { pino } from 'pino'
import { expect } from 'vitest'
import { LinkageEngine } from '../../apps/server/src/areas/automation/linkage-engine.ts'
import { Hub } from '../../apps/server/src/plant/hub.ts'
import { clockOf } from '../../apps/server/src/store/jobs/due-work.ts'
import type { LinkageHouse } from './linkage-house.ts'
import { eventually } from './linkage-house.ts'

const refuseAll = `
  create or replace function refused() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
  create trigger refused before insert or update on linkage_state execute function refused()`
const waiting = `
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%from linkage where linkage_id%for no key update%'`
const refuseNone = 'drop trigger refused on linkage_state'

/** Servers that evaluate the linkages of one database, each by what is reported to it. */
export function linkageServers(house: LinkageHouse) {
  const { database, plant, ingest } = house.stack.server
  let servers: LinkageEngine[] = []
  async function stored(statement: string): Promise<void> {
    const client = await database.connect()
    await client.query(statement).finally(() => client.end())
  }
  const isOnline = (ControllerID: string, is: boolean) =>
    eventually(() => expect(plant.deviceByControllerId.get(ControllerID)?.gateway.link === 'online').toBe(is))
  return {
    serve,
    async close(): Promise<void> {
      for (const engine of servers) await engine.close()
      servers = []
    },
    /** All of them come to store what this linkage does before any of it is stored. */
    async atOnce(LinkageID: number, work: readonly (() => Promise<void>)[]): Promise<void> {
      const [other, looks] = [await database.connect(), await database.connect()]
      try {
        await other.query('begin')
        await other.query('select from linkage where linkage_id = $1 for update', [LinkageID])
        const all = work.map((each) => each())
        await eventually(async () => expect((await looks.query(waiting)).rows).toHaveLength(work.length))
        await other.query('commit')
        await Promise.all(all)
      } finally {
        await Promise.all([other.end(), looks.end()])
      }
    },
    /** Its gateway is gone for a moment, as one that another server has had in between. */
    async cameBack(ControllerID: string): Promise<void> {
      const gateway = house.stack.fleet.gatewayOf(ControllerID)
      gateway.disconnectAbruptly()
      await isOnline(ControllerID, false)
      await gateway.reconnect()
      await isOnline(ControllerID, true)
      await ingest.drained()
    },
    /** It ends without storing anything more. */
    async crash({ engine }: { readonly engine: LinkageEngine }): Promise<void> {
      await stored(refuseAll)
      await engine.close()
      await stored(refuseNone)
    },
  }

  /** `slowMs`: so far its clock is behind that of the equipment. */
  function serve(slowMs = 0) {
    const clock = () => house.now() - slowMs
    const hub = new Hub((error) => expect(error).toBeNull())
    const runner = { holder: { server: crypto.randomUUID(), clock: clockOf(clock) } }
    const deps = { database, plant, ingest, hub, runner, clock, dueClock: clockOf(clock), log: pino({ level: 'silent' }) }
    const carried: string[] = []
    const engine = new LinkageEngine(deps as unknown as ConstructorParameters<typeof LinkageEngine>[0], (_, run) => {
      carried.push(...run.operations.map(({ action }) => action))
    })
    servers.push(engine)
    return {
      engine,
      /** What it was given to carry out. */
      carried,
      async reads(ControllerID: string, LineNo: number): Promise<void> {
        const line = plant.lineAt(ControllerID, LineNo)
        if (!line) throw new Error('no line')
        hub.publish({ lines: [line] })
        await engine.settled()
      },
    }
  }
}
