import type { Device, Gateway } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import { awayOf, byAlarmKind } from '@linewarden/rules/alarm'
import { sumPower } from '@linewarden/rules/monitor'
import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { isSwitchState, severityOf } from '../../plant/line-condition.ts'
import { live, useLivePulse } from '../../plant/live-store.ts'
import { isOld } from '../../plant/old-values.ts'
import { Mark } from '../../ui/mark.tsx'
import type { SwitchState } from '../../ui/switch-symbol.tsx'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { serverNow, useByNow } from '../../ui/use-now.ts'
import { countedAs } from './counted-as.ts'
import '../../ui/strip.css'

const filters = ['closed', 'open', 'tripped', 'unknown', 'offline', 'alarmState', 'active', 'abnormal', 'tagged'] as const
export type StripFilter = (typeof filters)[number]

export const isStripFilter = (text: string | null): text is StripFilter => filters.some((each) => each === text)

const agesEveryMs = 2_000

/** How many stand how; a tile is tinted only while its number is bad, and filters the table. */
export const SummaryStrip = memo(function SummaryStrip({
  lines,
  upstream,
  isWhole,
  filter,
  onFilter,
}: {
  lines: readonly LineRef[]
  /** Which line feeds which, of all that are loaded. */
  upstream: ReadonlyMap<number, number>
  /** Whether every project of the selection is in it; else there are at least so many. */
  isWhole: boolean
  filter: StripFilter | null
  onFilter: (filter: StripFilter | null) => void
}) {
  const { t } = useTranslation('monitor')
  const pulse = useLivePulse()
  // Values turn old also while nothing comes.
  const tick = useByNow((now) => Math.floor(now / agesEveryMs))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pulse says that the live store moved
  const sum = useMemo(() => summaryOf(lines, upstream), [lines, upstream, pulse, tick])
  const least = isWhole ? '' : '≥ '
  const tile = (state: SwitchState & keyof typeof sum & StripFilter, tone: string) => (
    <button
      type="button"
      className={sum[state] > 0 ? tone : ''}
      aria-pressed={filter === state}
      onClick={() => onFilter(filter === state ? null : state)}
    >
      <span className={`state ${sum[state] > 0 ? state : ''}`}>
        <SwitchSymbol state={state} />
        {t(state)}
      </span>
      <b>
        {least}
        {sum[state]}
      </b>
    </button>
  )
  return (
    <div className="strip">
      {tile('closed', '')}
      {tile('open', '')}
      {tile('tripped', 'bad')}
      {tile('unknown', 'odd')}
      {tile('offline', '')}
      {sum.detectors > 0 && (
        <button
          type="button"
          className={sum.alarmState > 0 ? 'bad' : ''}
          aria-pressed={filter === 'alarmState'}
          onClick={() => onFilter(filter === 'alarmState' ? null : 'alarmState')}
        >
          <span className="mute">{t('detectorAlarms')}</span>
          <b>
            {least}
            {sum.alarmState}
            <span className="unit">
              / {least}
              {sum.detectors}
            </span>
          </b>
        </button>
      )}
      <button type="button" aria-pressed={filter === 'active'} onClick={() => onFilter(filter === 'active' ? null : 'active')}>
        <span className="mute">{t('active')}</span>
        <span className="kinds">
          {alarmKinds.map((kind) => (
            <b key={kind} className={sum[kind] > 0 ? kind : 'none'}>
              <Mark kind={kind} />
              {least}
              {sum[kind]}
            </b>
          ))}
        </span>
      </button>
      <div className="power" title={sum.within > 0 ? t('powerOf', { lines: sum.added, within: sum.within }) : undefined}>
        <span className="mute">{t(isWhole ? 'totalPower' : 'loadedPower')}</span>
        <b>
          {sum.powerKw === null ? '–' : sum.powerKw.toFixed(1)}
          <span className="unit">kW</span>
          {sum.powerIsOld && (
            <i className="quality" title={t('lastKnown')}>
              {t('staleMark')}
            </i>
          )}
        </b>
      </div>
    </div>
  )
})

function summaryOf(lines: readonly LineRef[], upstream: ReadonlyMap<number, number>) {
  const sum = {
    closed: 0,
    open: 0,
    tripped: 0,
    unknown: 0,
    offline: 0,
    /** Detectors that stand in alarm. */
    alarmState: 0,
    detectors: 0,
    ...byAlarmKind(() => 0),
    powerKw: null as number | null,
    /** How many lines the power is the sum of, and how many are part of those. */
    added: 0,
    within: 0,
    /** Some of it is no current value. */
    powerIsOld: false,
  }
  const away = new Set<Gateway | Device>()
  const now = serverNow()
  const powerAt = new Map<LineRef['family'], number>()
  const powers: { readonly id: number; readonly kw: number | null; readonly isOld: boolean }[] = []
  for (const { line, device, gateway, family } of lines) {
    const link = live.deviceLink(device.ControllerID)?.Link
    // A gateway that is away is a fault of its own, and so is a device behind one that is not: once, however many lines it has.
    const of = awayOf((live.link(gateway.DeviceID) ?? gateway.Link).Link, link ?? device.Link.Link)
    if (of) away.add(of === 'gateway' ? gateway : device)
    const state = live.line(line.LineID)
    const condition = countedAs(state, link, family, now)
    if (family?.level === 'device') sum.detectors += 1
    if (condition === 'opening') sum.closed += 1
    else if (condition === 'closing') sum.open += 1
    else if (condition === 'alarmState' || isSwitchState(condition)) sum[condition] += 1
    const severity = severityOf(state)
    if (severity) sum[severity] += 1
    let at = powerAt.get(family)
    if (at === undefined) {
      at = family?.points.findIndex(({ key }) => key === 'power.total') ?? -1
      powerAt.set(family, at)
    }
    const power = at < 0 || condition === 'offline' ? null : (state?.Values[at] ?? null)
    if (at >= 0) powers.push({ id: line.LineID, kw: power, isOld: power !== null && isOld(state, family, now) })
  }
  const { kw, added, within } = sumPower(powers, (id) => upstream.get(id))
  const counted = new Set(added)
  sum.powerKw = kw
  sum.powerIsOld = powers.some(({ id, isOld: old }) => old && counted.has(id))
  sum.added = added.length
  sum.within = within
  sum.fault += away.size
  return sum
}
