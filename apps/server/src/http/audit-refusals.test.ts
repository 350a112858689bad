import type { Call } from '@linewarden/contract'
import {
  acknowledgeEvent,
  acknowledgeEvents,
  addAdministrator,
  addGroup,
  addRole,
  addSharedAccount,
  addSubAccount,
  allCalls,
  editGroup,
  editProject,
  editPush,
  editRole,
  editUser,
  issueToken,
  operateLine,
  Refusal,
  recordTripCause,
  refusalLogged,
  refusedAction,
  rotateSecret,
  subjectsOf,
  tellableOf,
  transferGateways,
  transferProject,
  updateTemplate,
} from '@linewarden/contract'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../access/actor.ts'
import { subjectSources } from '../built-areas.ts'
import type { Plant } from '../plant/plant.ts'
import { serverAreas } from '../server-areas.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { loadPlant } from '../store/plant/plant.ts'
import { auditRefusals } from './audit-refusals.ts'

let db: TestDatabase
let plant: Plant
/** Two owners, each with a project and a gateway of their own; the installation has the third. */
const anna = '00000000-0000-4000-8000-00000000000a'
const bert = '00000000-0000-4000-8000-00000000000b'

beforeAll(async () => {
  db = await testDatabase()
  const client = await db.database.connect()
  await client.query(`
    insert into account (account_id, user_name, kind, password_hash)
      values ('${anna}', 'anna', 'project', ''), ('${bert}', 'bert', 'project', '');
    insert into project (city_id, owner_id, name, time_zone)
      select (select city_id from city limit 1), owner, 'p', 'UTC' from unnest(array['${anna}', '${bert}', null]::uuid[]) owner;
    insert into gateway (project_id, number, name, secret_hash) select project_id, 'g' || project_id, 'g', '' from project`)
  await client.end()
  plant = await loadPlant(db.database)
})
afterAll(() => db?.drop())

const refused = (call: Call, actor: Partial<Actor>, request: { params?: object; body?: object }) =>
  auditRefusals({
    database: db.database,
    subjects: subjectSources(Object.values(serverAreas), { database: db.database, plant }),
    clock: Date.now,
  })(
    call,
    { userName: 'a', address: '', tenant: null, ...actor } as Actor,
    request as FastifyRequest,
    new Refusal('access denied'),
  )
const platform = { platform: true }
const last = () =>
  db.database.general.selectFrom('audit').selectAll().orderBy('audit_id', 'desc').limit(1).executeTakeFirstOrThrow()

const logged = allCalls.filter(refusalLogged)

/** Fields that are never told, and why: their schema says `secret`. */
const keptBack: Readonly<Record<string, string>> = {
  Password: 'a password',
  PasswordMD5: 'a password',
  OldPasswordMD5: 'a password',
  ControlPassword: 'a password',
  AesKey: 'a key',
  Token: "a detector's own key",
  Grant: "good for once, and nobody else's business",
  Logo: 'a picture',
  Photo: 'a picture',
  Manifest: 'a file',
  Signature: 'of a file',
  Strokes: 'how somebody signs',
  Bytes: 'a file',
  Ics: 'a file',
  Sheets: 'a file',
  Cells: 'of a file',
}

/** Every field of every refused call that is told, at every depth. A new one has to be decided on here. */
const audited: readonly string[] = [
  // Equipment, and what is asked of it.
  ...['ControllerID', 'ID', 'LineNo', 'LineID', 'LineName', 'DeviceID', 'DeviceIDs', 'Lines', 'Targets', 'FedBy'],
  ...['SceneID', 'Icon', 'Items', 'Order', 'IfRefused', 'Mode'],
  ...['EventID', 'EventIDs'],
  ...['attr', 'type', 'Action', 'Act', 'CommandID', 'BatchID', 'RunID', 'ChangeID', 'Reason', 'Cause'],
  ...['TagID', 'On', 'Kind', 'ExpectedEnd', 'Confirmed'],
  ...['DeadlineMs', 'StaggerMs', 'DelaysS', 'Enabled', 'EveryDays', 'Windows', 'Days', 'FromMinute', 'ToMinute'],
  ...['Timing', 'OnDelayMs', 'OffDelayMs', 'DeadBandShare'],
  ...['InstalledOn', 'WarrantyUntil', 'ServiceYears', 'Was', 'Version'],
  // Settings.
  ...['Settings', 'Seen', 'Key', 'Value', 'Seconds', 'OffUntil', 'TemplateID', 'Family'],
  ...['residual.alarm', 'residual.enabled', 'temperature.alarm', 'temperature.enabled'],
  // Projects, groups, gateways, pushes.
  ...['HouseID', 'HouseIDs', 'CityID', 'Name', 'Number', 'Remark', 'PersonInCharge', 'ContactPhone', 'Province', 'City'],
  ...['District', 'Address', 'TimeZone', 'Currency', 'Standard', 'CCID', 'IMEI', 'AddMethod', 'Platform', 'DeviceType'],
  ...[
    'Latitude',
    'Longitude',
    'TimedLines',
    'Override',
    'DryRun',
    'Rows',
    'Count',
    'PushID',
    'Products',
    'ProductID',
    'Model',
    'ReportingPeriodS',
  ],
  // People and roles.
  ...['AccountID', 'OwnerID', 'UserName', 'NickName', 'Mobile', 'Email', 'Sex', 'JobName', 'Language'],
  ...['RoleID', 'Assigned', 'SessionID'],
  ...['Description', 'Privileges', 'Buttons', 'KeyID', 'Operates'],
  // Alarms.
  ...[
    'Around',
    'As',
    'Counted',
    'Expect',
    'Filter',
    'Folded',
    'For',
    'From',
    'Here',
    'Hour',
    'IncidentID',
    'Keys',
    'Kinds',
    'Mark',
    'Newest',
    'Open',
    'Priorities',
    'Raises',
    'States',
    'Text',
    'To',
    'ToDay',
    'Weekday',
    'UpTo',
  ],
  ...['Shelved', 'Minutes', 'CommentID'],
  // The rationalisation sheet.
  ...['Texts', 'Consequence', 'Time', 'Basis', 'zh', 'en'],
  // Warning rules.
  ...['Params', 'Priority', 'Families', 'LineIDs', 'Except', 'FromDay'],
  // Timers.
  ...[
    'TimerID',
    'Function',
    'Type',
    'Period',
    'Date',
    'Classes',
    'ToDate',
    'FromDate',
    'Points',
    'PointNo',
    'At',
    'Sun',
    'OffsetMin',
  ],
  // Linkages.
  ...['LinkageID', 'Match', 'Conditions', 'Op', 'Release', 'ForS', 'ActiveHours', 'Actions', 'DelayS'],
  ...['CooldownS', 'MaxPerHour', 'MaxPerDay', 'MayClose'],
  ...['Exceptions', 'Do', 'KeepWhileWanted', 'ConflictReason', 'Until', 'Class', 'Row', 'PlainClass', 'OverEntered', 'LeaveOut'],
  // Work orders.
  ...['OrderID', 'ActID', 'Orders', 'Title', 'Helpers', 'ValidDays', 'ReminderDays', 'WorkingDaysOnly', 'Dispatch', 'Done'],
  ...['HazardID', 'UntilDay', 'RuleID', 'Rule', 'AfterMin', 'PersonID', 'Rota', 'People'],
  ...['Parts', 'LabourMin', 'Unverified', 'Why', 'DuplicateOf', 'Photos', 'Hash', 'Role', 'Size', 'TakenAt'],
  ...['Arrived', 'Phone', 'SeenStep'],
  // Inspection rounds and health checks.
  ...['PlanID', 'RoundID', 'Stops', 'Place', 'LeftOut', 'OwnItems', 'ItemID', 'List', 'Min', 'Max', 'Unit', 'Choices', 'Ok'],
  ...['PhotoOn', 'FourEyes', 'Cycle', 'Every', 'CountsFrom', 'FirstDue', 'WindowDays', 'Before', 'After', 'Assignees'],
  ...[
    'Without',
    'PhoneID',
    'Now',
    'Arrivals',
    'Answers',
    'StopID',
    'How',
    'PhoneTime',
    'Rev',
    'Result',
    'Choice',
    'Level',
    'Note',
  ],
  ...['Of', 'Anew', 'TestID'],
  // Energy.
  ...['SupplyID', 'AccountNo', 'Members', 'Sign', 'CapacityVa', 'DeclaredW', 'PowerFactorStandard', 'BillingDay'],
  ...['Typed', 'CosHundredths', 'ActiveWh', 'ReactiveVarh'],
  ...['EnergyStepWh', 'Tariffs', 'TariffID', 'VersionID', 'Content', 'Source', 'Bands', 'Seasons', 'workday', 'saturday'],
  ...['sunday', 'holiday', 'makeUpWorkday', 'Components', 'Prices', 'InPowerFactorBase', 'GovernmentFund', 'DemandRule'],
  ...['Base', 'Over', 'AbovePercent', 'Factor', 'FloorPercent', 'Discount', 'FromKwhPerKva', 'PricePercent'],
  ...['Month', 'Total', 'Estimates', 'StatementID', 'Per', 'Public', 'Year', 'Region', 'KgPerKwh'],
  ...['Budget', 'BudgetID', 'Thresholds', 'Publish', 'Bill', 'ToleranceHundredths', 'Quantity', 'Band', 'Price'],
  ...['MeterID', 'Serial', 'Multiplier', 'AccuracyPercent', 'RegisterMaxKwh', 'StartRegisterKwh', 'EndRegisterKwh'],
  ...['FormerEndKwh', 'Anyway', 'Since', 'FixID', 'Method', 'Kwh', 'StartKwh', 'EndKwh', 'Terms', 'FloorsAtZero', 'ReadingID'],
  // How a project is supplied.
  ...['Sources', 'SourceID', 'Transformer', 'Kva', 'HighKv', 'LowKv', 'Buses', 'Bus', 'Ties', 'BusA', 'BusB'],
  // Firmware and branding.
  ...['ImageID', 'Offset', 'CampaignID', 'Gateways', 'Projects', 'Stages', 'Amount', 'FailureLimit'],
  ...['NameZh', 'NameEn', 'TitleZh', 'TitleEn', 'ProviderHost', 'ProviderName', 'ProviderUrl'],
  // Reports.
  ...['Cron', 'Format', 'RecipientID', 'Recipients', 'ScheduleID', 'Scope', 'Step'],
  // Screen links.
  ...['Code', 'DwellS', 'HardUntil', 'MostSeats', 'NamesOfPeople', 'Pages', 'ScreenID', 'SeatID', 'Theme'],
]

interface Shape {
  readonly secret?: true
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}
const alternatives = (shape: Shape): readonly Shape[] => [shape, ...(shape.anyOf?.flatMap(alternatives) ?? [])]

/** Something of each field that a schema has, at every depth: its name, so that it shows what is told. */
function filled(schema: Shape, name: string): unknown {
  const shapes = alternatives(schema)
  const items = shapes.find((shape) => shape.items)?.items
  if (items) return [filled(items, name)]
  const fields = shapes.flatMap(({ properties }) => Object.entries(properties ?? {}))
  return fields.length === 0 ? name : Object.fromEntries(fields.map(([key, each]) => [key, filled(each, key)]))
}
function* fieldsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* fieldsIn(each)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) {
      yield key
      yield* fieldsIn(each)
    }
}
const requests = logged.map((call) => ({
  call,
  params: call.params && filled(call.params as Shape, ''),
  body: call.body && filled(call.body as Shape, ''),
}))

test('of every field that a refused call may have it is decided whether the log tells it', () => {
  const fields = new Set(requests.flatMap(({ params, body }) => [...fieldsIn(params), ...fieldsIn(body)]))
  const auditedNow = new Set(requests.flatMap(({ call, params, body }) => [...fieldsIn(tellableOf(call, { params, body }))]))
  expect([...auditedNow].toSorted()).toEqual([...audited].toSorted())
  const kept = [...fields].filter((field) => !auditedNow.has(field))
  // Within a picture nothing is told.
  expect(kept.toSorted()).toEqual([...Object.keys(keptBack), 'Data'].toSorted())
})

test('what is kept back of one call is kept back of every call', () => {
  for (const { call, params, body } of requests)
    expect([...fieldsIn(tellableOf(call, { params, body }))].filter((field) => Object.hasOwn(keptBack, field))).toEqual([])
})

test.each(requests.map((each) => [each.call.name, each] as const))(
  'nothing that is kept back, and nothing that no call has, gets into the log by %s',
  async (_, { call, params, body }) => {
    const secret = 'never-to-be-told'
    const secrets = Object.fromEntries([...Object.keys(keptBack), 'Pasword', 'token', 'constructor'].map((key) => [key, secret]))
    const tainted = (value: unknown): unknown => {
      if (Array.isArray(value)) return [...value.map(tainted), secrets]
      if (typeof value !== 'object' || value === null) return value
      return { ...Object.fromEntries(Object.entries(value).map(([key, each]) => [key, tainted(each)])), ...secrets }
    }
    await refused(call, platform, {
      params: { ...(tainted(params) as object) },
      body: { ...(tainted(body) as object), ...secrets },
    })
    const entry = await last()
    expect(entry).toMatchObject({ action: refusedAction(call), outcome: 'refused' })
    expect(JSON.stringify(entry)).not.toContain(secret)
    // Where a text is asked for, something else may stand with anything in it.
    const objects = Object.fromEntries(Object.keys((body ?? {}) as object).map((key) => [key, secrets]))
    await refused(call, platform, { body: objects })
    expect(JSON.stringify(await last())).not.toContain(secret)
  },
)

test.each<[string, Call, object, string, string, string]>([
  ['an account', editUser, { AccountID: bert, NickName: 'B' }, bert, 'accountId', bert],
  ['an account that is to be made', addSubAccount, { UserName: '13800000001', RoleID: 3 }, '13800000001', 'nothing', ''],
  ['a role', editRole, { RoleID: 3, Number: 'r', Name: 'Role' }, 'role 3', 'role', '3'],
  ['a role that is to be made', addRole, { Number: 'r', Name: 'Role' }, 'r', 'nothing', ''],
  ['a group', editGroup, { CityID: 4, Name: 'Group' }, 'group 4', 'group', '4'],
  ['a group that is to be made', addGroup, { Name: 'Group' }, 'Group', 'nothing', ''],
  ['a project', editProject, { HouseID: 5, Name: 'Project' }, '5', 'project', '5'],
  ['a push', editPush, { HouseID: 5, PushID: 6, Name: 'Push' }, 'project 5 push 6', 'push', '5/6'],
  ['a template', updateTemplate, { TemplateID: 7, Name: 'Template' }, 'template 7', 'template', '7'],
  ['an event', acknowledgeEvent, { EventID: '8' }, '8', 'event', '8'],
  ['several events', acknowledgeEvents, { EventIDs: ['8', '9'] }, '8 9', 'nothing', ''],
  ['a line', recordTripCause, { ControllerID: 'C-1', LineNo: 3 }, 'C-1/3', 'line', 'C-1/3'],
  ['a device', issueToken, { ControllerID: 'C-1' }, 'C-1', 'device', 'C-1'],
  ['a gateway', rotateSecret, { DeviceID: 7 }, '7', 'gatewayId', '7'],
  ['what cannot be the id of one', rotateSecret, { DeviceID: 'no number' }, 'no number', 'nothing', ''],
  ['nothing at all', rotateSecret, { DeviceID: [{}] }, '', 'nothing', ''],
])(
  '%s that was named stands in the log as what it was about, and as nobody has looked at it',
  async (_, call, body, target, kind, id) => {
    await refused(call, {}, { body, params: body })
    expect(await last()).toMatchObject({ target, subject_kind: kind, subject_id: id, claimed: true, gateway_id: null })
  },
)

test('what the platform was refused stands in the log of whose thing it was, if it was the thing of one', async () => {
  const ids = [...plant.gateways.keys()].toSorted((a, b) => a - b)
  const tenantOf = async (body: object, actor: Partial<Actor> = platform, call: Call = transferGateways) => {
    await refused(call, actor, { body })
    return (await last()).tree
  }
  expect(await tenantOf({ DeviceID: ids[0] }, platform, rotateSecret)).toBe(anna)
  expect(await tenantOf({ AccountID: anna, Assigned: { DeviceIDs: [ids[0]] } }, platform, editUser)).toBe(anna)
  expect(await tenantOf({ DeviceIDs: [ids[0], ids[1]] })).toBeNull()
  expect(await tenantOf({ OwnerID: bert, Assigned: { DeviceIDs: [ids[0]] } }, platform, addSubAccount)).toBeNull()
  expect(await tenantOf({ DeviceIDs: [ids[0], ids[2]] })).toBeNull()
  expect(await tenantOf({ RoleID: 99, AccountID: 'x', constructor: 1 }, platform, editUser)).toBeNull()
  expect(await tenantOf({ HouseID: 99_999, UserName: 'a\0' }, platform, transferProject)).toBeNull()
  expect(await tenantOf({ RoleID: 99_999_999_999 }, platform, editRole)).toBeNull()
  // A project goes to whoever has that name. Who is to be made with a name that somebody has is a stranger to them.
  expect(await tenantOf({ UserName: 'Anna' }, platform, transferProject)).toBe(anna)
  for (const call of [addSubAccount, addSharedAccount]) {
    expect(await tenantOf({ UserName: 'anna', NickName: '甲' }, platform, call)).toBeNull()
    expect(await tenantOf({ UserName: 'anna', Assigned: { DeviceIDs: [ids[0]] }, OwnerID: 'x' }, platform, call)).toBeNull()
    expect(await tenantOf({ UserName: 'anna', OwnerID: bert }, platform, call)).toBe(bert)
  }
  // Of somebody else it is not even looked for.
  expect(await tenantOf({ DeviceID: ids[0] }, { platform: false, tenant: bert }, rotateSecret)).toBe(bert)
  // Nobody runs the installation for somebody else.
  expect(await tenantOf({ UserName: 'anna', OwnerID: bert }, platform, addAdministrator)).toBeNull()
})

test('refused orders that wait for their turn at the log leave a connection to whoever trips', async () => {
  const writer = await db.database.connect()
  await writer.query("begin; select pg_advisory_xact_lock(hashtext('audit'))")
  const lines = Array.from({ length: 9 }, (_, LineNo) => ({ ControllerID: 'D', LineNo, attr: 'close' }))
  const written = lines.map((params) => refused(operateLine, {}, { params }))
  // A trip's lane, while all of them wait.
  await db.database.ping()
  await writer.query('rollback')
  await writer.end()
  await Promise.all(written)
  const rows = await db.database.general.selectFrom('audit').select('target').where('target', 'like', 'D/%').execute()
  expect(rows.map(({ target }) => target).sort()).toEqual(lines.map(({ LineNo }) => `D/${LineNo}`))
})

/** Ids that name nothing of anybody's: made for the request itself, or of something within what the call names anyway; firmware is the installation's. */
const ownIds = [
  ...['SupplyID', 'TariffID', 'VersionID', 'StatementID', 'MeterID', 'FixID', 'BudgetID', 'ScheduleID', 'RecipientID'],
  ...['CommandID', 'BatchID', 'RunID', 'TagID', 'ReadingID', 'SeatID'],
  'SessionID',
  'LineID',
  'LineIDs',
  'ProductID',
  'EventID',
  'CCID',
  'ImageID',
  'CommentID',
  'ActID',
  'PhoneID',
  'StopID',
  'ItemID',
  'RuleID',
  ...['SourceID', 'KeyID'],
]

test('a call names every thing of somebody that a request of it can name, in fields that it has', () => {
  for (const { call, params, body } of requests) {
    const fields = new Set([...fieldsIn(params), ...fieldsIn(body)])
    const named = subjectsOf(call).flatMap((each) =>
      Object.entries(each).flatMap(([key, path]) => (key === 'kind' ? [] : [path])),
    )
    const missing = named.flatMap((path) => path.split('.')).filter((field) => !fields.has(field))
    expect([call.name, missing]).toEqual([call.name, []])
    const ofLines = subjectsOf(call).some((each) => 'each' in each) ? ['ControllerID'] : []
    const unnamed = [...fields].filter(
      (field) =>
        /(ID|IDs|UserName)$/.test(field) &&
        !ownIds.includes(field) &&
        ![...named.flatMap((path) => path.split('.')), ...ofLines].includes(field),
    )
    expect([call.name, unnamed]).toEqual([call.name, []])
  }
})
