/** One call of the specification's section 7, as this project answers it. */
export interface SpecifiedCall {
  readonly section: string
  /** Method and path as they are written there. */
  readonly call: string
  /** Ours, where the parameter names differ or the specification shows no path; absent: the same. */
  readonly answeredBy?: string
  /** Not a call of ours: what was decided instead, and why. */
  readonly otherwise?: string
  /** Not built yet, and with what it comes. It counts as not covered until the contract has it. */
  readonly comesWith?: string
}

interface Deviations {
  readonly answeredBy?: Readonly<Record<string, string>>
  readonly otherwise?: Readonly<Record<string, string>>
  readonly comesWith?: Readonly<Record<string, string>>
}

const section = (
  name: string,
  calls: readonly string[],
  { answeredBy = {}, otherwise = {}, comesWith = {} }: Deviations = {},
): SpecifiedCall[] =>
  calls.map((call) => ({
    section: name,
    call,
    ...(answeredBy[call] !== undefined && { answeredBy: answeredBy[call] }),
    ...(otherwise[call] !== undefined && { otherwise: otherwise[call] }),
    ...(comesWith[call] !== undefined && { comesWith: comesWith[call] }),
  }))

/** Every call that the specification names, in its order and under its headings. `npm run coverage:calls` holds the contract against it. */
export const specifiedCalls: readonly SpecifiedCall[] = [
  ...section(
    'Signing in (paths not shown)',
    [
      'Login',
      'Login by user name only',
      'Get user info',
      'Get own account details',
      'Get new alarm',
      'Logout',
      'Account edit',
      'Set language',
      'Role list',
      'Switch setting query',
    ],
    {
      answeredBy: {
        Login: 'PUT /users/login',
        'Login by user name only': 'POST /users/login/gd',
        'Get user info': 'GET /users',
        'Get own account details': 'GET /users/details',
        'Get new alarm': 'GET /messages/isnew',
        Logout: 'PUT /users/logout',
        'Account edit': 'PUT /users/update',
        'Set language': 'PUT /users/language/update',
        'Role list': 'GET /roles/query/all',
        'Switch setting query': 'GET /users/status/setting',
      },
    },
  ),
  ...section('Users', [
    'PUT /users/login',
    'POST /users/login/gd',
    'PUT /users/logout',
    'POST /users/plat',
    'GET /users',
    'GET /users/privileges',
    'GET /messages/isnew',
    'PUT /users/language/update',
    'POST /users/shared',
    'POST /users/sub',
    'POST /users/all',
    'PUT /users/delete',
    'PUT /users/update',
    'GET /users/report',
    'GET /users/status/setting',
  ]),
  ...section(
    'Houses',
    [
      'GET /houses/upstatus',
      'GET /houses/upgrade',
      'POST /houses/ccid',
      'GET /houses/list/lookup',
      'GET /houses/list/username',
      'GET /houses/list/city',
      'GET /houses/list',
      'GET /houses/{id}',
      'PUT /houses/delete',
      'POST /houses',
      'PUT /houses/{HouseID}',
      'PUT /houses/transfer',
      'GET /houses/report',
    ],
    {
      answeredBy: { 'GET /houses/{id}': 'GET /houses/{HouseID}' },
    },
  ),
  ...section('Cities', [
    'PUT /citys/updatecity',
    'POST /citys/insert',
    'PUT /citys/update',
    'DELETE /citys/delete/{CityID}',
    'POST /citys/query',
  ]),
  ...section('Devices', [
    'PUT /devices/updateline/batch',
    'PUT /devices/updateline',
    'POST /devices/account',
    'POST /devices/autonum',
    'PUT /devices/reclosureset',
    'PUT /devices/interval',
    'POST /devices/Self',
    'POST /devices/other',
    'POST /devices/list',
    'PUT /devices/delete',
    'POST /devices',
    'POST /devices/batch',
    'PUT /devices/{id}/name',
    'PUT /devices/{id}/lines/{lineId}/name',
    'PUT /devices/transfers',
    'PUT /devices/inspect',
    'GET /devices/all',
    'GET /devices/self/hx',
    'GET /devices/list/search_line',
    'GET /devices/list/search',
    'GET /devices/{id}/list',
    'GET /devices/{id}',
    'GET /devices/{deviceId}/lines/{lineId}/{third}',
  ]),
  ...section('Controllers, status and lines', [
    'POST /controllers/version',
    'POST /controllers/upgrade',
    'POST /status/analysis',
    'PUT /status/{ID}/{type}/{attr}',
    'PUT /status/{ControllerID}',
    'PUT /lines/{ControllerID}/{LineNo}/{attr}',
    'GET /lines/{ControllerID}/{LineNo}',
    'POST /lines/testleakages',
    'PUT /line/detection',
    'GET /line/detection/{DeviceID}/{LineID}',
    'PUT /lines/threeline/update',
    'GET /arc/record',
  ]),
  ...section('Roles', [
    'POST /roles/insert',
    'POST /roles/query',
    'PUT /roles/update',
    'PUT /roles/delete',
    'GET /roles/query/all',
    'GET /roles/privileges',
  ]),
  ...section('Messages, energy and power', [
    'POST /messages/journal/list',
    'POST /messages/list',
    'GET /energy/getenergy',
    'POST /energy/report',
    'POST /powers/list',
  ]),
  ...section('Scenes and equipment', [
    'GET /scenes/queryswitch/',
    'POST /scenes/switch',
    'GET /arcms/details/arcm620',
    'PUT /air/update',
    'GET /air/details',
    'PUT /pps/control',
    'GET /pps/details',
  ]),
  ...section(
    'Detectors',
    [
      'PUT /nt9141/silencing/lte',
      'GET /nt9141/details/lte',
      'PUT /nt8117/silencing/lte',
      'GET /nt8117/details/lte',
      'PUT {token}',
      'GET {token}',
      'GET /detector/details/rs',
      'PUT /detector/control/rs',
      'GET /detector/details/lte',
      'PUT /detector/control/lte',
      'PUT /detector/tcqset',
      'GET /detector/details',
      'PUT /detector/alarmset',
      'PUT /aesp/silencing',
      'GET /aesp/list',
      'GET /aesp/details',
      'GET /waterimmersion/details/4g',
      'PUT /nt8141/silencing',
      'GET /nt8141/details/nb',
      'GET /infrared/details',
      'GET /infrared/realtime',
      'PUT /gas/silencing',
      'GET /gas/details',
      'GET /gas/realtime',
      'PUT /smoke/silencing',
      'GET /smoke/details',
    ],
    {
      answeredBy: { 'PUT {token}': 'PUT /{token}', 'GET {token}': 'GET /{token}' },
    },
  ),
]
