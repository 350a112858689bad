import { useTranslation } from 'react-i18next'
import { useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { live } from '../../plant/live-store.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { counted } from './looks.ts'
import type { ProjectState } from './overview-state.ts'
import { largestLoads } from './overview-state.ts'
import { useEnergyToday } from './use-energy-today.ts'

/** So many gateways are shown one by one. */
const maxGateways = 40

/** What all of it draws and used today, and how its switches and gateways stand. */
export function OverviewFigures({ states }: { states: readonly ProjectState[] }) {
  const { t } = useTranslation(['screen', 'monitor'])
  const maySeeEnergy = useMayOpen(paths.energy)
  const known = states.flatMap(({ kw }) => kw ?? [])
  const total = known.reduce((sum, kw) => sum + kw, 0)
  const isLeast = states.some(({ kw, isLeast: part }) => kw === null || part)
  const loads = largestLoads(states, 5)
  const largest = loads[0]?.kw ?? 1
  return (
    <section className="figures" aria-label={t('figures')}>
      <div className="hero">
        <span>{t('totalPower')}</span>
        <b>
          {known.length === 0 ? '–' : `${isLeast ? '≥ ' : ''}${figure(total, total < 1_000 ? 1 : 0)}`} <small>kW</small>
        </b>
      </div>
      {maySeeEnergy && <EnergyToday states={states} />}
      <h2>{t('positions')}</h2>
      <div className="switch-counts">
        {counted.map((state) => {
          const count = states.reduce((sum, { counts }) => sum + counts[state], 0)
          return (
            <span key={state} className={count > 0 ? `sign ${state}` : 'sign none'}>
              <SwitchSymbol state={state} />
              <b>{count}</b>
              <em>{t(`monitor:${state}`)}</em>
            </span>
          )
        })}
      </div>
      <GatewayGrid states={states} />
      {loads.length > 0 && (
        <>
          <h2>
            {t('largest')} <span>kW</span>
          </h2>
          <ol className="largest">
            {loads.map(({ lineRef, kw }) => (
              <li key={lineRef.line.LineID}>
                <span>
                  <bdi>{lineRef.line.LineName}</bdi> <LineTag lineId={lineRef.line.LineID} />
                </span>
                <i style={{ width: `${Math.max(1, (100 * Math.max(0, kw)) / Math.max(largest, 0.001))}%` }} />
                <b>{figure(kw, 1)}</b>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

function EnergyToday({ states }: { states: readonly ProjectState[] }) {
  const { t } = useTranslation('screen')
  const { kwh, change, isPart } = useEnergyToday(states.map(({ project }) => project))
  return (
    <div className="today">
      <span>{t('usedToday')}</span>
      <b>
        {kwh === null ? '–' : `${isPart ? '≥ ' : ''}${Math.round(kwh).toLocaleString('en-US')}`} <small>kWh</small>
      </b>
      <em>
        {change === null ? t('noYesterday') : t('yesterday', { change: `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)}` })}
      </em>
    </div>
  )
}

function GatewayGrid({ states }: { states: readonly ProjectState[] }) {
  const { t } = useTranslation('screen')
  const gateways = states.flatMap(({ project }) => project.Devices)
  const linkOf = (id: number, first: string) => live.link(id)?.Link ?? first
  const away = gateways.filter(({ DeviceID, Link }) => linkOf(DeviceID, Link.Link) !== 'online')
  const shown = [...away, ...gateways.filter((each) => !away.includes(each))].slice(0, maxGateways)
  return (
    <>
      <h2>
        {t('gateways', { count: gateways.length })}{' '}
        <span>{t('gatewaysStand', { online: gateways.length - away.length, away: away.length })}</span>
      </h2>
      <ul className="gateway-grid">
        {shown
          .toSorted((one, other) => (one.Number < other.Number ? -1 : 1))
          .map((gateway) => (
            <li key={gateway.DeviceID} className={away.includes(gateway) ? 'away' : ''} title={gateway.GatewayName}>
              <bdi>{gateway.Number.replace(/^GW-?/, '')}</bdi>
            </li>
          ))}
      </ul>
    </>
  )
}
