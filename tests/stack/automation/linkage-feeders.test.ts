import type { Client } from '@linewarden/client'
import { addRole, addSubAccount, insertLinkage, lineFeed, setFeed } from '@linewarden/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { linkagesInTurn } from '../../../apps/server/src/store/automation/linkage-among.ts'
import type { LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, linkagePlan, startLinkageHouse } from '../../kit/linkage-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { signedIn } from '../../kit/stack.ts'
import { subOf } from '../../kit/two-owners.ts'

// What is fed by a line changes with it: so which line feeds which may close a loop of linkages, and is checked against them as saving one is.
const [project] = linkagePlan
const [cabinet] = project?.gateways ?? []
if (!project || !cabinet) throw new Error('the plan has a gateway')
const beside = {
  ...{ ...cabinet, number: 'GW-C', name: 'C柜' },
  devices: cabinet.devices.map((device) => ({ ...device, controllerId: device.controllerId.replace('A-', 'C-') })),
}

let house: LinkageHouse
let client: Client
beforeAll(async () => {
  house = await startLinkageHouse({ plan: [{ ...project, gateways: [cabinet, beside] }] })
  client = house.stack.client
})
afterAll(() => house?.stack.close())

type Place = ReturnType<typeof at>
const c = (LineNo: number) => at(LineNo, 'C-T1')
const feeder = async (of: Place, by: Client = client): Promise<Place | null> => {
  const [nearest] = (await by.call(lineFeed, { params: of })).Upstream
  return nearest ? at(nearest.LineNo, nearest.ControllerID) : null
}
const feeds = async (FedBy: Place | null, params: Place, by: Client = client) =>
  by.call(setFeed, { params, body: { FedBy, Was: await feeder(params, by) } })

const made: number[] = []
/** Above 50 A on the one it closes the other, and what is above 50 A there trips the first: a loop once the second is fed by what it closes. */
async function linkages(reads: Place, closes: Place, readsNext: Place) {
  const first = await house.made('甲', {
    Conditions: [{ ...above(0), ...reads }],
    Actions: [{ Kind: 'close', ...closes, DelayS: 0 }],
    MayClose: true,
  })
  const second = await house.made('乙', {
    Conditions: [{ ...above(0), ...readsNext }],
    Actions: [{ Kind: 'trip', ...reads, DelayS: 0 }],
  })
  made.push(first.LinkageID, second.LinkageID)
  return second.LinkageID
}
afterEach(async () => {
  for (const LinkageID of made.splice(0)) await house.gone(LinkageID)
  for (const place of [at(5), at(6), at(7), c(5)]) await feeds(null, place)
})

const loop = { zh: '联动「甲」 → 线路「A线4」 → 联动「乙」 → 线路「A线3」 → 联动「甲」' }
const refused = (path: { zh: string }) => ({ message: 'linkage loop', problem: { failure: { Detail: { path } } } })

test('a feeder by which linkages would form a loop is refused, with the path of the loop', async () => {
  await linkages(at(3), at(4), at(5))
  await expect(feeds(at(4), at(5))).rejects.toMatchObject(refused(loop))
  expect(await feeder(at(5))).toBeNull()
  await feeds(at(8), at(5))
  expect(await feeder(at(5))).toEqual(at(8))
})

test('also over lines between, and where a line that is fed comes along', async () => {
  await linkages(at(3), at(4), at(5))
  await feeds(at(4), at(6))
  await expect(feeds(at(6), at(5))).rejects.toMatchObject(refused(loop))
  await feeds(at(7), at(5))
  await expect(feeds(at(6), at(7))).rejects.toMatchObject(refused(loop))
})

test('once no linkage is in the loop any more it is set; what feeds a line no longer closes none', async () => {
  const second = await linkages(at(3), at(4), at(5))
  await house.gone(second)
  made.splice(1)
  await feeds(at(4), at(5))
  const again = () =>
    client.call(insertLinkage, { body: house.form('乙', { Conditions: [above(5)], Actions: [does('trip', 3)] }) })
  expect(await outcomeOf(again())).toBe('linkage loop')
  // From one upstream line to another: of the first it comes free.
  await feeds(at(8), at(5))
  made.push((await again()).LinkageID)
})

test('a loop that is there already is ended by taking the feeder away', async () => {
  await linkages(at(3), at(4), at(5))
  const idOf = (lineNo: number) => house.stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0
  const { general } = house.stack.server.database
  // As a server of before has let it be set.
  await general
    .updateTable('line')
    .set({ fed_by: idOf(4) })
    .where('line_id', '=', idOf(5))
    .execute()
  await feeds(null, at(5))
  expect(await feeder(at(5))).toBeNull()
})

test('a feeder waits for whoever saves a linkage at that moment', async () => {
  const { database } = house.stack.server
  const db = await database.connect()
  const setting = await database.general.transaction().execute(async (trx) => {
    await linkagesInTurn(trx, house.houseOf())
    const outcome = outcomeOf(feeds(at(4), at(5)))
    await eventually(async () => {
      const waits = await db.query(`select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`, [
        house.houseOf(),
      ])
      expect(waits.rowCount).toBe(1)
    })
    return { outcome }
  })
  await db.end()
  expect(await setting.outcome).toBe('done')
})

test('whoever does not see a line or a linkage of the loop is refused all the same, and reads no name of it', async () => {
  const userName = '13300000021'
  const Privileges = ['devmon', 'devmon.realtime']
  const { RoleID } = await client.call(addRole, { body: { Number: 'f', Name: '值班', Privileges, Buttons: ['lineSwitch'] } })
  const DeviceIDs = [house.stack.server.plant.gatewayByNumber.get('GW-C')?.id ?? 0]
  await client.call(addSubAccount, { body: { ...subOf(userName), RoleID, Assigned: { HouseIDs: [], DeviceIDs } } })
  const sub = await signedIn(house.stack.url, { userName, password: `Pass-${userName}-7` }, house.now)
  // The first stands beside what they see; the second reads a line of theirs.
  await linkages(at(3), at(4), c(5))
  await feeds(at(4), c(6))
  const path = { zh: '联动「（无权查看）」 → 线路「（无权查看）」 → 联动「乙」 → 线路「（无权查看）」 → 联动「（无权查看）」' }
  await expect(feeds(c(6), c(5), sub)).rejects.toMatchObject(refused(path))
  await feeds(null, c(6))
})
