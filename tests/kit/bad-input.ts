import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import type { LinkageForm, Request, TimerForm } from '@linewarden/contract'
import { insertLinkage, insertScene, insertTimer } from '@linewarden/contract'
import { smallPlan } from './small-plan.ts'
import type { Stack } from './stack.ts'
import { calm, signedIn, startStack } from './stack.ts'

const [project, elsewhere] = smallPlan
const [cabinet] = project?.gateways ?? []
if (!project || !elsewhere || !cabinet) throw new Error('the plan has two projects')
const plan = [
  {
    ...project,
    gateways: [
      cabinet,
      {
        ...{ ...cabinet, number: 'GW-C', name: 'C柜' },
        devices: cabinet.devices.map((device) => ({ ...device, controllerId: device.controllerId.replace('A-', 'C-') })),
      },
    ],
  },
  elsewhere,
]

export const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })

export const timer = (own: Partial<TimerForm> = {}): TimerForm => ({
  ...{ Name: '新定时', Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [] },
  Points: [{ PointNo: 1, At: '12:00', Action: 'trip' }],
  ...{ Lines: [at(1)], KeepWhileWanted: true, Enabled: true, ...own },
})
export type SceneForm = Omit<Request<typeof insertScene>['body'], 'HouseID' | 'Grant'>
export const item = (LineNo: number, Action: 'trip' | 'close' = 'trip', device = 'A-T1') => ({
  ...at(LineNo, device),
  Action,
  Order: 0,
})
export const scene = (own: Partial<SceneForm> = {}): SceneForm => ({
  ...{ Name: '新场景', Icon: 'scene', IfRefused: 'goOn', Enabled: true, Items: [item(1)], ...own },
})
export const above = (LineNo: number) =>
  ({ Kind: 'point', ...at(LineNo), Key: 'current.a', Op: '>', Value: 50, ForS: 0 }) as const
export const does = (Kind: 'trip' | 'close', LineNo: number, device = 'A-T1') =>
  ({ Kind, ...at(LineNo, device), DelayS: 0 }) as const
export const linkage = (own: Partial<LinkageForm> = {}): LinkageForm => ({
  ...{ Name: '新联动', Enabled: true, Mode: 'live', Match: 'all', ActiveHours: [], MayClose: false },
  ...{ CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24, Conditions: [above(3)], Actions: [does('trip', 1)], ...own },
})
export const closed = (LineNo: number) =>
  ({ Kind: 'state', ...at(LineNo), Key: 'position', Op: '=', Value: 1, ForS: 60 }) as const
export const smoke = { Kind: 'alarm', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: 1, ForS: 0 } as const

/** Administrator; sees one cabinet; may not switch; may switch and manage nothing; has a control password. */
type Person = 'admin' | 'partly' | 'managing' | 'switching' | 'careful'
export type BadInputHouse = Awaited<ReturnType<typeof startBadInputHouse>>

/** A house with two cabinets, a timer, scenes and linkages of each kind, a project that is full, and people of whom most may not do all of it. */
export async function startBadInputHouse() {
  const stack: Stack = await startStack({ plan })
  const house = (device = 'A-T1') => stack.server.plant.deviceByControllerId.get(device)?.gateway.project.id ?? 0
  /** Ids and versions of what was saved. */
  const saved = new Map<string, { readonly id: number; readonly version: number }>()
  const was = (name: string) => saved.get(name) ?? { id: 0, version: 0 }

  calm(stack)
  const { accounts, database, plant } = stack.server
  const password = 'Duty-7391'
  const privileges = ['timer', 'timer.list', 'scene.list', 'linkage.list', 'devmon', 'devmon.realtime']
  const person = async (userName: string, buttons: string[], seesAll = true) => {
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons })
    const projectIds = seesAll ? [house()] : []
    const account_id = await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds })
    const gateway_id = plant.deviceByControllerId.get('A-T1')?.gateway.id ?? 0
    if (!seesAll) await database.general.insertInto('account_gateway').values({ account_id, gateway_id }).execute()
    return signedIn(stack.url, { userName, password })
  }
  const all = ['lineSwitch', 'manageTiming', 'manageScene']
  await accounts.createAccount({ userName: 'careful3', password, kind: 'platform', controlPassword: 'Ctrl-2580' })
  const people: Record<Person, Client> = {
    admin: stack.client,
    partly: await person('13800000401', all, false),
    managing: await person('13800000402', ['manageTiming', 'manageScene']),
    switching: await person('13800000403', ['lineSwitch']),
    careful: await signedIn(stack.url, { userName: 'careful3', password }),
  }
  const HouseID = house()
  const { client } = stack
  const timed = async (name: string, own: Partial<TimerForm>) => {
    const { TimerID, Version } = await client.call(insertTimer, { body: { HouseID, ...timer({ Name: name, ...own }) } })
    saved.set(name, { id: TimerID, version: Version })
  }
  const scenic = async (name: string, own: Partial<SceneForm>) => {
    const { SceneID, Version } = await client.call(insertScene, { body: { HouseID, ...scene({ Name: name, ...own }) } })
    saved.set(name, { id: SceneID, version: Version })
  }
  const linked = async (name: string, own: Partial<LinkageForm>) => {
    const { LinkageID, Version } = await client.call(insertLinkage, { body: { HouseID, ...linkage({ Name: name, ...own }) } })
    saved.set(name, { id: LinkageID, version: Version })
  }
  await timed('晚间', { Points: [{ PointNo: 1, At: '20:00', Action: 'close' }], Lines: [at(5)] })
  await timed('两柜定时', { Lines: [at(6), at(6, 'C-T1')], Points: [{ PointNo: 1, At: '21:00', Action: 'trip' }] })
  await scenic('下班', {})
  await scenic('两柜', { Items: [item(1), item(1, 'trip', 'C-T1')] })
  await scenic('停用场景', { Enabled: false })
  await timed('执行下班', {
    ...{ Function: 'scene', SceneID: was('下班').id, Lines: [] },
    Points: [{ PointNo: 1, At: '22:00', Action: 'run' }],
  })
  await linked('两柜联动', { Actions: [does('trip', 1, 'C-T1')] })
  await linked('一合二', { Conditions: [closed(1)], Actions: [does('close', 2)], MayClose: true, Mode: 'shadow' })
  await linked('执行两柜', { Actions: [{ Kind: 'scene', SceneID: was('两柜').id, DelayS: 0 }] })
  // As many timers as a project may have.
  const db = await stack.server.database.connect()
  await db.query(
    `insert into timer (project_id, name, function, schedule, keep_while_wanted, enabled, owner_name, changed_at, changed_by)
     select $1, 'n' || n, 'switch', schedule, true, false, '', now(), '' from timer, generate_series(1, 2000) n where timer_id = $2`,
    [house('B-T1'), was('晚间').id],
  )
  await db.end()
  return { stack, people, house, was }
}

/** What is refused, with the message and, of a field, where it stands. */
export interface Row {
  readonly by?: Person
  readonly what: string
  readonly key: string
  readonly zh: string
  readonly en: string
  readonly path?: string
}
export type Bad<Body> = Row & { readonly body: () => Body; readonly device?: string }

export async function refusalOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CallError) || error.problem.kind !== 'refusal') throw error ?? new Error('it was not refused')
  return error.problem.failure
}

/** A problem at its field where the row names one, else the message of the whole. */
export async function messageOf(asked: Promise<unknown>, { path }: Row) {
  const { Message, Text, Problems = [] } = await refusalOf(asked)
  const problem = path === undefined ? Text : Problems.find((each) => each.Path === path)?.Text
  return { key: Message, zh: problem?.zh, en: problem?.en }
}
export const meant = ({ key, zh, en }: Row) => ({ key, zh, en })
