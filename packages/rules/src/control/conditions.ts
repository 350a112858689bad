import type { Text } from '@linewarden/equipment'
import type { BlockReason } from './block-reason.ts'
import type { ActorFacts, LineFacts, Reach } from './line-facts.ts'
import type { TagPlace } from './tags.ts'

/** One condition of closing, with what a person needs to clear it. `until`: it clears by itself then, Unix ms. */
export interface Condition {
  readonly key: BlockReason
  readonly met: boolean
  readonly what: Text
  readonly why: Text | null
  readonly clears: Text | null
  readonly until: number | null
}

/** domain.md "Operating equipment safely". */
export const freshForMs = 10_000
export const operationGapMs = 10_000
export const inspectionLockMs = 60_000

/** Causes after which somebody must have looked before the line is energised again. */
const causesToExplain: ReadonlySet<string> = new Set(['leakage', 'short', 'arc'])

export const mustBeExplained = (cause: string): boolean => causesToExplain.has(cause)

/** Causes for which equipment opens by itself. */
const protections: ReadonlySet<string> = new Set([
  'leakage',
  'short',
  'overload',
  'overvoltage',
  'undervoltage',
  'overtemperature',
  'arc',
])

export const isProtection = (cause: string): boolean => protections.has(cause)

const text = (zh: string, en: string): Text => ({ zh, en })
const technician = text('现场电工', 'An electrician on site')
const administrator = text('管理员', 'The administrator')
const byItself = text('到时自动解除', 'Clears automatically')

function condition(key: BlockReason, met: boolean, what: Text, why: Text, clears: Text, until: number | null = null): Condition {
  return met ? { key, met, what, why: null, clears: null, until: null } : { key, met, what, why, clears, until }
}

export const permission = ({ mayOperate }: ActorFacts, { switches }: Pick<LineFacts, 'switches'> = { switches: true }) =>
  condition(
    'permission',
    mayOperate,
    switches ? text('有分合闸权限', 'Permission to switch lines') : text('有操作权限', 'Permission to operate'),
    text('您的角色没有“线路分合闸”权限', 'Your role does not permit tripping or closing lines'),
    administrator,
  )

export const notShared = ({ shared }: ActorFacts) =>
  condition(
    'notShared',
    !shared,
    text('非共享查看', 'Not a shared account'),
    text('共享账号只能查看，不能操作', 'Shared accounts are view-only'),
    text('项目所属单位', "The project's owner"),
  )

const linkWords: Record<LineFacts['link'], Text> = {
  online: text('在线', 'online'),
  stale: text('网关超过 3 个上报周期没有数据', 'No data from the gateway for three reporting periods'),
  offline: text('网关离线', 'The gateway is offline'),
  never: text('网关从未上线', 'The gateway has never connected'),
}

/** Of a gateway that is away nobody need ask further. What can never be operated from here is said first: waiting does not help. */
export function linked({ link, reach }: LineFacts): readonly Condition[] {
  if (reach === 'push_only') return [reachable(reach), online({ link })]
  return link === 'online' ? [online({ link }), reachable(reach)] : [online({ link })]
}

const online = ({ link }: Pick<LineFacts, 'link'>) =>
  condition('online', link === 'online', text('网关在线', 'Gateway online'), linkWords[link], technician)

const reachWords: Record<Exclude<Reach, 'yes'>, Text> = {
  not_connected: text(
    '网关只在上报时连接，现在没有连接，无法下发',
    'The gateway connects only to report and is not connected now; nothing can be sent',
  ),
  not_born: text(
    '网关已连接，但还没有通报上线，请稍候；一直如此则需检查网关',
    'The gateway is connected but has not announced itself yet; wait a moment, and check the gateway if it stays so',
  ),
  not_listening: text(
    '网关已连接，但没有订阅下发主题，收不到指令；请检查网关的配置',
    'The gateway is connected but has not subscribed to its orders, so none would arrive; check how the gateway is set up',
  ),
  device_gone: text(
    '网关在线，但该设备没有接入网关，无法下发',
    'The gateway is online, but this device is not connected to it; nothing can be sent',
  ),
  device_silent: text(
    '网关在线，但该设备超过 3 个上报周期没有数据',
    'The gateway is online, but no data from this device for three reporting periods',
  ),
  push_only: text(
    '该设备只经平台推送上报，不能从这里下发',
    'This device reports by platform push only and cannot be operated from here',
  ),
}

/** Whether an order gets there, whatever else stands against it. */
export const reachable = (reach: Reach): Condition =>
  condition(
    'reachable',
    reach === 'yes',
    text('指令能送达设备', 'Commands can reach the device'),
    reach === 'yes' ? text('', '') : reachWords[reach],
    reach === 'push_only' ? text('现场操作，或在原平台操作', 'Operate on site, or on the original platform') : technician,
  )

/** Nobody reads "5,400 s": minutes, and hours from two on. */
function inMinutes(seconds: number): readonly [zh: string, en: string] {
  const minutes = Math.round(seconds / 60)
  const hours = Math.round(seconds / 3_600)
  return minutes < 120 ? [`${minutes} 分钟`, `${minutes} min`] : [`${hours} 小时`, `${hours} h`]
}

export function fresh({ liveReceivedAt }: Pick<LineFacts, 'liveReceivedAt'>, now: number): Condition {
  const age = liveReceivedAt === null ? null : now - liveReceivedAt
  const seconds = age === null ? 0 : Math.max(0, Math.ceil(age / 1000))
  const [zh, en] = seconds <= 120 ? [`${seconds} 秒`, `${seconds} s`] : inMinutes(seconds)
  const why =
    age === null
      ? text('该线路还没有数据', 'No data received from this line')
      : text(`最近数据是 ${zh}前的`, `The last value is ${en} old`)
  return condition(
    'fresh',
    age !== null && age >= 0 && age <= freshForMs,
    text('数据是 10 秒内的', 'Values no older than 10 s'),
    why,
    technician,
  )
}

export const clock = ({ clockGood }: LineFacts) =>
  condition(
    'clock',
    clockGood,
    text('网关时钟准确', 'Gateway clock synchronised'),
    text('网关时间与服务器相差过大', 'The gateway clock differs too much from the server clock'),
    technician,
  )

export function position({ position: at }: LineFacts): Condition {
  const why =
    at === 'closed' ? text('线路已经合闸', 'The line is already closed') : text('开关位置未知', 'Switch position unknown')
  return condition(
    'position',
    at === 'open',
    text('线路在分闸位置', 'The line is open'),
    why,
    at === 'closed' ? text('无需操作', 'No action needed') : technician,
  )
}

export function tripCause({ tripCause: cause, tripCauseRecorded }: LineFacts): Condition {
  const met = cause !== null && (!causesToExplain.has(cause) || tripCauseRecorded)
  const why =
    cause === null
      ? text('脱扣原因未上报', 'Trip cause not reported')
      : text(
          '漏电、短路或电弧跳闸后尚未登记原因',
          'Tripped on residual current, short circuit or arc fault; no cause recorded yet',
        )
  return condition(
    'tripCause',
    met,
    text('跳闸原因已查明', 'Trip cause recorded'),
    why,
    text('查明原因后由值班员登记', 'The duty operator, once the cause is found'),
  )
}

/** Equipment without one has no such condition. */
export function localLock({ localLock: lock }: LineFacts): readonly Condition[] {
  if (lock === 'absent') return []
  const why = lock === null ? text('就地锁状态未上报', 'Local lock state not reported') : text('现场已上锁', 'Locked on site')
  return [condition('localLock', lock === 'off', text('就地锁已解除', 'Local lock off'), why, technician)]
}

/** Nor this, without a residual-current release. */
export function selfTest({ selfTest: result }: LineFacts): readonly Condition[] {
  if (result === 'absent') return []
  const why =
    result === null
      ? text('漏电自检结果未上报', 'RCD test result not reported')
      : result === 'running'
        ? text('漏电自检正在进行', 'RCD test in progress')
        : text('漏电自检不合格', 'RCD test failed')
  return [
    condition(
      'selfTest',
      result !== null && result !== 'failed' && result !== 'running',
      text('漏电自检未失败', 'RCD test not failed'),
      why,
      technician,
    ),
  ]
}

export function inspection({ inspectionUntil }: Pick<LineFacts, 'inspectionUntil'>, now: number): Condition {
  const met = inspectionUntil === null || now >= inspectionUntil
  const seconds = met ? 0 : Math.ceil((inspectionUntil - now) / 1000)
  return condition(
    'inspection',
    met,
    text('无巡检锁定', 'No inspection lock'),
    text(`正在巡检，${seconds} 秒后可操作`, `An inspection is running; ${seconds} s to go`),
    byItself,
    inspectionUntil,
  )
}

/** Where a tag hangs that does not hang on the line itself: there it is to be looked for. */
const tagPlaceWords: Record<TagPlace, Text> = {
  line: text('', ''),
  device: text('整台设备：', 'whole device: '),
  gateway: text('整个网关：', 'whole gateway: '),
}

/** An account that equipment is shared with learns why and not whose. */
export function tags({ tags: hung }: Pick<LineFacts, 'tags'>, { shared }: Pick<ActorFacts, 'shared'>): Condition {
  const named = hung.map((each) => (shared ? { ...each, holder: '—' } : each))
  const holders = named.map(({ on, holder, reason }) => `${holder}（${tagPlaceWords[on].zh}${reason}）`).join('、')
  const english = named.map(({ on, holder, reason }) => `${holder} (${tagPlaceWords[on].en}${reason})`).join(', ')
  return condition(
    'tags',
    hung.length === 0,
    text('未挂牌', 'No tag applied'),
    text(`已挂牌：${holders}`, `Tagged by ${english}`),
    text('挂牌人', 'The tag holder'),
  )
}

export function gap({ lastOperationAt }: LineFacts, now: number): Condition {
  const until = lastOperationAt === null ? null : lastOperationAt + operationGapMs
  const met = until === null || now >= until
  const seconds = until === null ? 0 : Math.ceil((until - now) / 1000)
  return condition(
    'gap',
    met,
    text('距上次操作满 10 秒', '10 s since the last operation'),
    text(`还需等待 ${seconds} 秒`, `${seconds} s to wait`),
    byItself,
    until,
  )
}

export const pending = ({ pending: command }: Pick<LineFacts, 'pending'>) =>
  condition(
    'pending',
    command === null,
    text('没有进行中的操作', 'No command in progress'),
    text('另一条操作正在进行', 'Another command is in progress'),
    byItself,
  )

/** The same when the database knows of one that the plant has not heard of yet. */
export const anotherUnderWay: Condition = pending({ pending: { action: 'set' } })

export function sounding({ sounder }: LineFacts): Condition {
  const why =
    sounder === 'quiet'
      ? text('现在没有鸣响，无需消音', 'Not sounding; nothing to silence')
      : sounder === 'absent'
        ? text('该设备没有蜂鸣器', 'This equipment has no sounder')
        : text('蜂鸣器状态未上报', 'Sounder state not reported')
  return condition(
    'sounding',
    sounder === 'sounding',
    text('蜂鸣器正在鸣响', 'The sounder is sounding'),
    why,
    sounder === null ? technician : text('无需操作', 'No action needed'),
  )
}

export function closed({ position: at }: LineFacts): Condition {
  const why =
    at === 'open'
      ? text('线路已分闸，只有合闸状态才能自检', 'The line is open; only a closed line can be tested')
      : text('开关位置未知', 'Switch position unknown')
  return condition(
    'closed',
    at === 'closed',
    text('线路在合闸位置', 'The line is closed'),
    why,
    at === 'open' ? text('先合闸，再自检', 'Close the line first') : technician,
  )
}

export function quietHours({ quietUntil }: LineFacts): Condition {
  return condition(
    'quietHours',
    quietUntil === null,
    text('不在免打扰时段', 'Outside quiet hours'),
    text('现在是免打扰时段，自检会停电，已禁止', 'Quiet hours: an RCD test would interrupt supply and is not allowed now'),
    text('到时自动解除，或由管理员修改免打扰时段', 'Clears automatically, or the administrator changes the quiet hours'),
    quietUntil,
  )
}
