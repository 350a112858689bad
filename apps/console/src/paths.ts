/** Every address of the console, from one place; those of the menu's pages stand with their permissions in the contract. */
export const paths = {
  login: '/login',
  notFound: '/Notfound',
  realtime: '/devmon/realtime',
  ledger: '/devmon/ledger',
  params: '/devmon/params',
  history: '/devmon/hisdata',
  selfTests: '/devmon/selftests',
  branding: '/system/branding',
  alarms: '/hazard/alarmList',
  rationale: '/hazard/rationale',
  analysis: '/hazard/analysis',
  rounds: '/hazard/patrol',
  phoneRounds: '/hazard/patrol/phone',
  phoneWaiting: '/hazard/patrol/phone/waiting',
  phoneRound: '/hazard/patrol/phone/:RoundID',
  phoneStop: '/hazard/patrol/phone/:RoundID/:StopID',
  healthCheck: '/hazard/devTest',
  workOrders: '/hazard/workorder',
  phoneOrders: '/hazard/workorder/phone',
  phoneOrder: '/hazard/workorder/phone/:OrderID',
  deviceData: '/system/report/deviceData',
  powerReport: '/system/report/powerReport',
  reportSchedules: '/system/report/schedules',
  warnings: '/devmon/faultalarm',
  warningRules: '/advance/warning',
  scenes: '/scene/list',
  firmware: '/system/firmware',
  timers: '/timer/list',
  linkages: '/linkage/list',
  linkageLog: '/linkage/log',
  timerLog: '/timer/log',
  sceneLog: '/scene/log',
  energy: '/energyStatistics/energy',
  /** Below the projects: whoever may change those has them. */
  screens: '/system/project/screens',
  bigScreen: '/bigScreen',
  bigScreenHome: '/bigScreen/home/:treeHousID',
  bigScreenDetail: '/bigScreen/detail/:ControllerID',
} as const

/** Sections whose pages are about what the equipment tree selects. */
export const hasTree = (pathname: string): boolean =>
  [
    '/devmon/',
    '/energyStatistics/',
    paths.alarms,
    paths.analysis,
    paths.rounds,
    paths.healthCheck,
    paths.workOrders,
    paths.timers,
    paths.timerLog,
    paths.scenes,
    paths.sceneLog,
    paths.linkages,
    paths.linkageLog,
    paths.deviceData,
    paths.powerReport,
    paths.reportSchedules,
  ].some((section) => pathname.startsWith(section))

/** The login page that leads back. */
export const loginFor = (path: string): string => `${paths.login}?redirect=${encodeURIComponent(path)}`

/** A path of our own to go to after login; anything that could lead to another site is the start page. */
export function safeRedirect(given: string | null): string {
  if (!given?.startsWith('/') || given.startsWith('//') || given.includes('\\') || given.startsWith(paths.login)) return '/'
  // A control character could be dropped by the browser and turn "/ /host" into "//host".
  return [...given].some((char) => char <= ' ') ? '/' : given
}

/** The live page of a project with a line's drawer open. */
export const lineDrawer = (houseId: number, lineId: number): string => `${paths.realtime}?at=house:${houseId}&line=${lineId}`

/** The live page of a project. */
export const projectLive = (houseId: number): string => `${paths.realtime}?at=house:${houseId}`

/** The single-line diagram of a project. */
export const plantDiagram = (houseId: number): string => paths.bigScreenHome.replace(':treeHousID', String(houseId))

/** A device on a wall, with one of its lines; the project spares looking for it. */
export const deviceOnWall = (controllerId: string, houseId: number, lineId: number): string =>
  `${paths.bigScreenDetail.replace(':ControllerID', encodeURIComponent(controllerId))}?house=${houseId}&line=${lineId}`

/** The live page of what stands behind a gateway. */
export const gatewayLive = (houseId: number, deviceId: number): string => `${paths.realtime}?at=gateway:${houseId}:${deviceId}`

/** A wall that shows a code to whoever may give it a link. */
export const wallToPair = `${paths.bigScreen}?pair`

/** Where screen links are, with the code of a wall that waits. */
export const projectsToPair = (code: string): string => `${paths.screens}?pair=${code}`

/** The meters of a line, where one is corrected; `cause`: what the balance says of it. */
export const energyMeter = (houseId: number, lineId: number, cause: string): string =>
  `${paths.energy}?at=house:${houseId}&tab=settings&part=meters&meter=${lineId}&cause=${cause}`

/** The energy of a virtual meter. */
export const energyOfMeter = (houseId: number, meterId: number): string =>
  `${paths.energy}?at=house:${houseId}&virtual=${meterId}`

/** What led to the trips of a line, in its drawer. */
export const lineTripAnalysis = (houseId: number, lineId: number): string => `${lineDrawer(houseId, lineId)}&tab=trips`

/** The ledger of one line. */
export const lineLedger = (controllerId: string, lineNo: number): string =>
  `${paths.ledger}?device=${encodeURIComponent(controllerId)}&no=${lineNo}`

/** An alarm in the list of all, with its drawer open. */
export const alarmDetails = (eventId: string): string => `${paths.alarms}?event=${eventId}`

/** The same, at its delays and dead band. */
export const alarmTuningPart = (eventId: string): string => `${alarmDetails(eventId)}${tuningMark}`
export const tuningMark = '#tuning'

/** The history of one line. */
export const lineHistory = (houseId: number, lineId: number): string => `${paths.history}?at=line:${houseId}:${lineId}`

/** The settings of one line. */
export const lineSettings = (houseId: number, lineId: number): string => `${paths.params}?at=line:${houseId}:${lineId}`

/** The log of one scene. */
export const sceneRuns = (sceneId: number): string => `${paths.sceneLog}?of=${sceneId}`

/** A work order with its drawer open. */
export const orderDetails = (orderId: number): string => `${paths.workOrders}?order=${orderId}`

/** An inspection round with its drawer open. */
export const roundDetails = (roundId: string): string => `${paths.rounds}?round=${roundId}`

/** A round on the phone, and in it a stop. */
export const phoneRound = (roundId: string): string => `${paths.phoneRounds}/${roundId}`
export const phoneStop = (roundId: string, stopId: number): string => `${phoneRound(roundId)}/${stopId}`

/** A work order on the phone. */
export const phoneOrder = (orderId: number): string => `${paths.phoneOrders}/${orderId}`

/** A new work order of an alarm. */
export const orderOf = (eventId: string): string => `${paths.workOrders}?new=${eventId}`

/** A health check. */
export const healthCheckDetails = (testId: number): string => `${paths.healthCheck}?check=${testId}`
