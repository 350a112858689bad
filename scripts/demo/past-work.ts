import { createHash, randomUUID } from 'node:crypto'
import type { WorkOrder } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { dayMs, hourMs } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { OrderType, PauseReason } from '@linewarden/rules/workorder'
import type { Server } from '@linewarden/server/compose'
import type { ProjectPlan } from '@linewarden/simulator'
import { pino } from 'pino'
import type { Actor } from '../../apps/server/src/access/actor.ts'
import { createCloseOut } from '../../apps/server/src/areas/workorder/close-out.ts'
import { createOrderAccess } from '../../apps/server/src/areas/workorder/order-access.ts'
import { createOrderActs } from '../../apps/server/src/areas/workorder/order-acts.ts'
import { createOrderInsert } from '../../apps/server/src/areas/workorder/order-insert.ts'
import { createOrderPhotos } from '../../apps/server/src/areas/workorder/order-photos.ts'
import { createSeveral } from '../../apps/server/src/areas/workorder/order-several.ts'
import { createOrderTexts } from '../../apps/server/src/areas/workorder/order-texts.ts'
import type { PlantLine } from '../../apps/server/src/plant/plant.ts'
import type { People } from './past-people.ts'
import type { Person } from './past-records.ts'
import type { DrawnPhoto } from './terminal-photo.ts'
import { drawnTerminal } from './terminal-photo.ts'

/** What happens to an order, so many hours before now. */
type Step =
  | { readonly ago: number; readonly act: 'take' | 'accept' }
  | { readonly ago: number; readonly act: 'return' | 'notFound' | 'unverified'; readonly text: string }
  | { readonly ago: number; readonly act: 'comment'; readonly text: string; readonly by: 'founder' | 'electrician' }
  | { readonly ago: number; readonly act: 'pause'; readonly why: PauseReason; readonly forMs: number; readonly text: string }
  | { readonly ago: number; readonly act: 'process'; readonly cause: string; readonly done: string; readonly parts?: string }
  | { readonly ago: number; readonly act: 'photo'; readonly role: 'before' | 'after'; readonly shows: DrawnPhoto }

interface Story {
  readonly target: string
  /** Of what it is made: the newest alarm of its place whose key is such; left out: of the place. */
  readonly key?: RegExp
  readonly type?: OrderType
  readonly title: string
  readonly text: string
  readonly priority: Priority
  readonly validDays?: number
  /** When it is written, hours before now. */
  readonly ago: number
  readonly isDispatched?: boolean
  readonly steps: readonly Step[]
}

const stories: readonly Story[] = [
  {
    ...{ target: 'BJ02-T1/3', key: /^contact$/, title: 'B 相端子发热', priority: 'high', ago: 30 },
    text: '预警：接触电阻升高。停电后紧固端子并测温，处理前后各拍一张。',
    steps: [
      { ago: 29, act: 'take' },
      { ago: 28, act: 'photo', role: 'before', shows: 'hot' },
      { ago: 27.5, act: 'comment', by: 'electrician', text: '端子已变色，须停电处理，约明早 7 点。' },
      { ago: 26, act: 'comment', by: 'founder', text: '已通知楼层用户，7:00–7:40 停电。' },
    ],
  },
  {
    ...{ target: 'WH02-S1/5', key: /^leakage\./, title: '地下室照明漏电缓升', priority: 'medium', ago: 20, isDispatched: false },
    ...{ text: '漏电一个多月来持续上升，雨后更高。先查地下室接线盒，再分段测绝缘。', steps: [] },
  },
  {
    ...{ target: 'BJ05-T1/1', key: /^trip\./, title: '进线漏电跳闸', priority: 'critical', ago: 110 },
    text: '进线跳闸，下级全部失电。查出故障支路并隔离后恢复送电，登记跳闸原因。',
    steps: [
      { ago: 109.8, act: 'take' },
      { ago: 108, act: 'process', cause: '支路电缆破皮', done: '隔离故障支路后恢复送电' },
      { ago: 100, act: 'return', text: '请写明破皮位置，并补处理后照片。' },
      { ago: 80, act: 'photo', role: 'before', shows: 'hot' },
      { ago: 79, act: 'photo', role: 'after', shows: 'cool' },
      {
        ago: 78,
        act: 'process',
        cause: '三层桥架转角处电缆破皮',
        done: '更换 6 m 电缆，绝缘 200 MΩ',
        parts: 'YJV 5×16 电缆 6 m',
      },
    ],
  },
  {
    ...{ target: 'BJ04-S1/7', key: /^residual\.|^leakage\./, title: '应急照明漏电报警', priority: 'high', ago: 60 },
    text: '漏电报警已恢复，查明是哪盏灯具。',
    steps: [
      { ago: 58, act: 'take' },
      { ago: 30, act: 'process', cause: '应急灯具进水，绝缘下降', done: '更换两盏灯具，其余逐盏测过绝缘' },
      { ago: 4, act: 'accept' },
    ],
  },
  {
    ...{ target: 'WH04-S1/2', key: /^trip\./, title: '楼道插座漏电跳闸', priority: 'high', ago: 15.5 * 24 },
    text: '拔下电热毯后已恢复，核对其余插座。',
    steps: [
      { ago: 15.4 * 24, act: 'take' },
      { ago: 15.2 * 24, act: 'process', cause: '电热毯漏电', done: '逐一测量插座，其余正常' },
      { ago: 6 * 24, act: 'unverified', text: '原因已查明，现场复核正常。' },
    ],
  },
  {
    ...{ target: 'BJ06-W1', title: '配电间地面渗水', priority: 'medium', ago: 13.9 * 24 },
    text: '疏通排水管，检查水浸探测器安装。',
    steps: [
      { ago: 13.5 * 24, act: 'take' },
      { ago: 13 * 24, act: 'process', cause: '排水管堵塞', done: '疏通排水管，探测器已试验' },
      { ago: 12 * 24, act: 'accept' },
    ],
  },
  {
    ...{ target: 'BJ03-S1/3', key: /overload|current/, title: '过载报警', priority: 'medium', ago: 23 * 24 },
    text: '核对是否有大功率电器接入。',
    steps: [{ ago: 22 * 24, act: 'notFound', text: '三天内负荷正常，未再出现。' }],
  },
  {
    ...{ target: 'WH06-T1/2', key: /^load\./, title: '充电桩负荷持续增长', priority: 'medium', ago: 50, validDays: 14 },
    text: '每月新增充电车辆，核对导线与断路器容量，必要时分路。',
    steps: [
      { ago: 48, act: 'take' },
      { ago: 40, act: 'pause', why: 'parts', forMs: 6 * dayMs, text: '分路断路器到货后施工。' },
    ],
  },
  {
    ...{ target: 'WH03-S1/2', type: 'inspection', title: '停电后全面检查', priority: 'low', ago: 10 * 24, validDays: 7 },
    text: '上级停电恢复后，逐路检查断路器、端子与网关供电。',
    steps: [{ ago: 9.8 * 24, act: 'take' }],
  },
]

/** What the people of the demo do, each at its own time, by what the server itself does it with. */
export async function addPastWork(server: Server, actors: People, until: number): Promise<void> {
  const events = await newestEvents(server)
  for (const story of stories) {
    const line = lineOf(server, story.target)
    const event = story.key === undefined ? undefined : events.get(line?.id ?? 0)?.find(({ key }) => story.key?.test(key))
    if (line && (event || story.key === undefined)) await addOrder(server, actors, story, { line, event, until })
  }
  await server.hazards.look()
  await acceptRisk(server, actors.administrator, until)
}

interface PastAlarm {
  readonly eventId: string
  readonly lineId: number
  readonly key: string
  readonly raisedAt: number
}

/** Somebody looks at an alarm before they write an order. */
const lookMs = 10 * 60_000

/** Of each line its alarms, the newest first. */
async function newestEvents({ database }: Server) {
  const rows = await database.general
    .selectFrom('event')
    .select(['event_id', 'line_id', 'key', 'raised_at'])
    .where('line_id', 'is not', null)
    .where('kind', 'in', ['alarm', 'warning'])
    .orderBy('event_id', 'desc')
    .execute()
  return Map.groupBy(
    rows.map(
      (row): PastAlarm => ({ eventId: row.event_id, lineId: row.line_id ?? 0, key: row.key, raisedAt: row.raised_at.getTime() }),
    ),
    ({ lineId }) => lineId,
  )
}

function lineOf({ plant }: Server, target: string): PlantLine | null {
  const [controllerId = '', lineNo = '0'] = target.split('/')
  return plant.lineAt(controllerId, Number(lineNo))
}

/** What people do to orders at that time; the log says when it was written. */
function ordersAt(server: Server, at: number, until: number) {
  const { database, plant, hub, photos, accounts } = server
  const actorNow = (id: string) => accounts.actorOf(id, '', '')
  const deps = { database, plant, hub, photos, actorNow, log: pino({ level: 'warn' }), clock: () => at }
  const access = createOrderAccess({ ...deps, clock: () => until })
  const closeOut = createCloseOut(deps, access)
  return {
    ...createOrderInsert(deps, access),
    ...createOrderActs(deps, access, closeOut),
    ...createSeveral(deps, access, closeOut),
    ...createOrderTexts(deps, access),
    ...createOrderPhotos(deps, access),
  }
}

async function addOrder(
  server: Server,
  by: People,
  { type = 'repair', title, text, priority, validDays = 7, ago, isDispatched = true, steps }: Story,
  { line, event, until }: { readonly line: PlantLine; readonly event: PastAlarm | undefined; readonly until: number },
): Promise<void> {
  const { project } = line.device.gateway
  const place = { ControllerID: line.device.controllerId, LineNo: line.lineNo }
  // An alarm comes at its time of day: no order of it is written before.
  const madeAt = Math.max(until - ago * hourMs, (event?.raisedAt ?? 0) + lookMs)
  const timeOf = (step: Step) => madeAt + (ago - step.ago) * hourMs
  const made = await ordersAt(server, madeAt, until).insert(by.founder, project, {
    ...{ HouseID: project.id, ActID: randomUUID(), Type: type, Title: title, Description: text, Priority: priority },
    ...{ PersonInCharge: by.electrician.accountId, Helpers: [], ValidDays: validDays, ReminderDays: Math.min(3, validDays) },
    ...{ WorkingDaysOnly: false, Dispatch: isDispatched },
    ...(event ? { EventID: event.eventId } : place),
  })
  let order: WorkOrder = made.Order
  try {
    for (const step of steps)
      order = (await takeStep(by, order, step, ordersAt(server, timeOf(step), until), timeOf(step))) ?? order
  } catch (error) {
    // What the server itself did to the order meanwhile stands.
    if (!(error instanceof Refusal)) throw error
  }
}

/** The order as it is then; null: as it was. */
async function takeStep(
  by: People,
  order: WorkOrder,
  step: Step,
  orders: ReturnType<typeof ordersAt>,
  at: number,
): Promise<WorkOrder | null> {
  const { OrderID, Version } = order
  const act = { OrderID, Version, ActID: randomUUID() }
  const several = { ActID: act.ActID, Orders: [{ OrderID, Version }] }
  switch (step.act) {
    case 'take':
      return orders.take(by.electrician, act)
    case 'pause':
      return orders.pause(by.electrician, { ...act, Until: at + step.forMs, Why: step.why, Reason: step.text })
    case 'process':
      return orders.process(by.electrician, {
        ...{ ...act, Cause: step.cause, Done: step.done, LabourMin: 90 },
        ...(step.parts !== undefined && { Parts: step.parts }),
      })
    case 'return':
      return orders.sendBack(by.founder, { ...act, Reason: step.text })
    case 'notFound':
      return orders.finish(by.founder, { ...act, Why: 'notFound', Reason: step.text })
    case 'accept':
      return (await orders.accept(by.founder, several)).items[0]?.Order ?? null
    case 'unverified':
      return (await orders.accept(by.administrator, { ...several, Unverified: step.text })).items[0]?.Order ?? null
    case 'comment':
      await orders.comment(by[step.by], OrderID, { ActID: act.ActID, Text: step.text })
      return null
    case 'photo': {
      const bytes = drawnTerminal(step.shows)
      const Hash = createHash('sha256').update(bytes).digest('hex')
      const piece = { Size: bytes.length, Offset: 0, Bytes: bytes.toString('base64'), TakenAt: at }
      await orders.sendPhoto(by.electrician, { OrderID, Hash }, { Role: step.role, ...piece })
      return null
    }
  }
}

/** One of the open hazards is run with for a while, as an administrator decided. */
async function acceptRisk({ hazards, plant }: Server, actor: Actor, until: number): Promise<void> {
  const { items } = await hazards.query(actor, null, { State: 'open' })
  const hazard = items.at(-1)
  const project = hazard && plant.projects.get(hazard.HouseID)
  if (!hazard || !project) return
  const { dayAt } = civilZone(project.timeZone)
  await hazards.accept(actor, {
    ...{ HazardID: hazard.HazardID, Version: hazard.Version, ActID: randomUUID() },
    ...{ UntilDay: dateText(dayAt(until) + 14), Reason: '计划下月停电检修时处理，期间加强巡视。' },
  })
}

/** A health check of the first project, as anybody starts one: it goes on by itself. */
export async function startDemoHealthCheck(server: Server, plan: readonly ProjectPlan[], { accountId }: Person): Promise<void> {
  const number = plan[0]?.gateways[0]?.number ?? ''
  const project = server.plant.gatewayByNumber.get(number)?.project
  const actor = await server.accounts.actorOf(accountId, '', '')
  if (project && actor) await server.health.start(actor, project, { HouseID: project.id })
}
