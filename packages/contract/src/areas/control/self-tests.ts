import { testResults } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { exact, LineTarget, linePlace, orNull, Version } from '../../core/schemas.ts'
import { GroupOperationRecord, groupOperationFields } from './group-operations.ts'

const onLine = { area: 'control', scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' } } as const

/** One self-test that was carried out. */
export const SelfTestRecord = Type.Object(
  {
    CommandID: Type.String(),
    At: Type.Integer(),
    Actor: Type.String(),
    Result: Type.Enum(testResults),
    /** Null: the breaker did not trip, or the equipment measures no time. */
    TripMs: orNull(Type.Integer()),
    LimitMs: Type.Integer(),
    /** The residual current it is set to trip at, in mA. */
    ResidualMa: orNull(Type.Number()),
    Model: Type.String(),
  },
  exact,
)
export type SelfTestRecord = Type.Static<typeof SelfTestRecord>

export const testLeakages = call({
  name: 'testLeakages',
  maxBodyBytes: listBodyBytes,
  method: 'POST',
  path: '/lines/testleakages',
  area: 'control',
  permission: 'lineSwitch',
  scope: { kind: 'lines', id: 'Lines' },
  touches: ['groupOperations', 'commandHistory', 'selfTests'],
  summary: 'Test the residual-current release of one or many lines: each trips by itself and stays open',
  body: Type.Object(groupOperationFields, exact),
  data: GroupOperationRecord,
})

export const lineSelfTests = call({
  ...onLine,
  name: 'lineSelfTests',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/selftests',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests'],
  shows: ['selfTests'],
  summary: 'Self-tests of a line, newest first',
  params: LineTarget,
  datas: SelfTestRecord,
})

/** What a self-test certificate says. Its number and hash are those of the entry in the append-only log. */
export const Certificate = Type.Object(
  {
    Number: Type.String(),
    Hash: Type.String(),
    Test: SelfTestRecord,
    LineName: Type.String(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    DeviceName: Type.String(),
    GatewayName: Type.String(),
    GatewayNumber: Type.String(),
    HouseName: Type.String(),
    TimeZone: Type.String(),
    RatedCurrentA: orNull(Type.Number()),
    Reason: Type.String(),
    Standard: Type.String(),
  },
  exact,
)
export type Certificate = Type.Static<typeof Certificate>

export const selfTestCertificate = call({
  ...onLine,
  name: 'selfTestCertificate',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/selftests/:CommandID',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests'],
  summary: 'The certificate of one self-test',
  params: Type.Object(
    {
      ...linePlace,
      CommandID: Type.String({ format: 'uuid' }),
    },
    exact,
  ),
  data: Certificate,
})

/** Where one line stands with its tests. */
export const TestDue = Type.Object(
  {
    LineID: Type.Integer(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    LineName: Type.String(),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    LastAt: orNull(Type.Integer()),
    LastResult: orNull(Type.Enum(testResults)),
    LastTripMs: orNull(Type.Integer()),
    /** When a later test was ordered of which nobody knows how it went: it counts for nothing. Null: there is none. */
    UnknownAt: orNull(Type.Integer()),
    /** Null: it never passed a test. */
    DueAt: orNull(Type.Integer()),
    Overdue: Type.Boolean(),
  },
  exact,
)
export type TestDue = Type.Static<typeof TestDue>

export const testsDue = call({
  name: 'testsDue',
  method: 'GET',
  path: '/lines/selftests',
  area: 'control',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests'],
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['selfTestPlans', 'selfTests'],
  summary: 'Every line that can be tested, the most overdue first',
  query: Type.Object(
    { HouseID: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })), Overdue: Type.Optional(Type.Boolean()) },
    exact,
  ),
  datas: TestDue,
})

/** How often a line is tested, and where it stands. */
export const DetectionPlan = Type.Object(
  {
    DeviceID: Type.Integer(),
    LineID: Type.Integer(),
    Enabled: Type.Boolean(),
    EveryDays: Type.Integer({ minimum: 1, maximum: 31 }),
    /** 0: nobody has set it, and it is the usual 31 days. */
    Version: Type.Integer(),
    LastAt: orNull(Type.Integer()),
    LastResult: orNull(Type.Enum(testResults)),
    LastTripMs: orNull(Type.Integer()),
    DueAt: orNull(Type.Integer()),
    Overdue: Type.Boolean(),
  },
  exact,
)
export type DetectionPlan = Type.Static<typeof DetectionPlan>

const onGateway = { area: 'control', scope: { kind: 'gateway', id: 'DeviceID' } } as const
const ids = {
  DeviceID: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  LineID: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
}

export const setDetection = call({
  ...onGateway,
  name: 'setDetection',
  audited: true,
  method: 'PUT',
  path: '/line/detection',
  permission: 'lineSwitch',
  touches: ['selfTestPlans'],
  summary: 'How often the leakage protection of a line is to be tested',
  body: Type.Object(
    {
      ...ids,
      Enabled: Type.Boolean(),
      EveryDays: Type.Integer({ minimum: 1, maximum: 31 }),
      Version: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'As it was read; another one is refused' }),
      ),
    },
    exact,
  ),
  data: DetectionPlan,
})

export const detection = call({
  ...onGateway,
  name: 'detection',
  method: 'GET',
  path: '/line/detection/:DeviceID/:LineID',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests'],
  shows: ['selfTestPlans', 'selfTests'],
  summary: 'How often the leakage protection of a line is tested, and when it is due',
  params: Type.Object(ids, exact),
  data: DetectionPlan,
})

const QuietHours = Type.Object(
  {
    Days: Type.Integer({ minimum: 1, maximum: 127, description: 'Bit 0 Monday to bit 6 Sunday: the days on which it begins' }),
    FromMinute: Type.Integer({ minimum: 0, maximum: 1439 }),
    ToMinute: Type.Integer({ minimum: 0, maximum: 1439, description: 'Not after FromMinute: on the next day' }),
  },
  exact,
)
export type QuietHours = Type.Static<typeof QuietHours>

/** The quiet hours of a project, saved all at once. */
export const ProjectQuietHours = Type.Object({ Windows: Type.Array(QuietHours, { maxItems: 20 }), Version }, exact)
export type ProjectQuietHours = Type.Static<typeof ProjectQuietHours>

const onProject = { area: 'control', scope: { kind: 'project', id: 'HouseID' } } as const
const HouseTarget = Type.Object({ HouseID: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }, exact)

export const quietHours = call({
  ...onProject,
  name: 'quietHours',
  method: 'GET',
  path: '/projects/:HouseID/quiethours',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests'],
  shows: ['quietHours'],
  summary: 'Times of a project in which no self-test may cut the supply',
  params: HouseTarget,
  data: ProjectQuietHours,
})

export const setQuietHours = call({
  ...onProject,
  name: 'setQuietHours',
  audited: true,
  method: 'PUT',
  path: '/projects/:HouseID/quiethours',
  permission: 'system.project',
  touches: ['quietHours'],
  summary: 'Set the times of a project in which no self-test may cut the supply',
  params: HouseTarget,
  body: ProjectQuietHours,
  data: ProjectQuietHours,
})
