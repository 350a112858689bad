import type { EnergyRow, Reply, Request } from '@linewarden/contract'
import { reportEnergy } from '@linewarden/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { span } from '../../ui/format.ts'
import { Pager } from '../../ui/pager.tsx'
import { changeText, shownKwh } from './figures.ts'
import { everyMs } from './period.ts'

type Body = Request<typeof reportEnergy>['body']

/** Projects, gateways or lines side by side, the largest first; a row opens what it names. */
export function EnergyParts(props: { ask: Omit<Body, 'Page' | 'Size'>; caption: string; onOpen: (row: EnergyRow) => void }) {
  const { ask, caption, onOpen } = props
  const [{ page, size }, turn] = useState({ page: 1, size: 10 })
  const query = useCall(
    reportEnergy,
    { body: { ...ask, Page: page, Size: size } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const report = useShown(query)
  return (
    <>
      <Unloaded query={query} />
      {report && (
        <div aria-busy={query.isPlaceholderData}>
          <PartsTable report={report} caption={caption} isCompared={ask.Compare !== undefined} onOpen={onOpen} />
          {report.total > 10 && (
            <Pager
              {...{ page, size, total: report.total }}
              onPage={(to) => turn({ page: to, size })}
              onSize={(to) => turn({ page: 1, size: to })}
            />
          )}
        </div>
      )}
    </>
  )
}

function PartsTable(props: {
  report: Reply<typeof reportEnergy>
  caption: string
  isCompared: boolean
  onOpen: (row: EnergyRow) => void
}) {
  const { report, caption, isCompared, onOpen } = props
  const { t } = useTranslation('energy')
  const { items, about } = report
  const shown = shownKwh(items, about.Largest)
  return (
    <table className="energy-table energy-parts">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col" className="num">
            kWh
          </th>
          {isCompared && (
            <th scope="col" className="num">
              {t('change')}
            </th>
          )}
          <th scope="col">{t('state')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((row) => (
          <tr key={row.LineID ?? row.DeviceID ?? row.HouseID}>
            <th scope="row">
              <button type="button" className="energy-open" onClick={() => onOpen(row)}>
                {row.Name}
              </button>
              <Share wh={row.Wh} largest={about.Largest} />
            </th>
            <td className="num">{shown.of(row.Wh)}</td>
            {isCompared && <td className="num mute">{row.Compared?.Change == null ? '–' : changeText(row.Compared.Change)}</td>}
            <td>
              <Known row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** As long as the largest is whole; nothing where nothing is known. */
function Share({ wh, largest }: { wh: number | null; largest: number | null }) {
  if (wh === null || largest === null || largest <= 0) return null
  return (
    <span className="energy-share" aria-hidden="true">
      <i style={{ width: `${(Math.max(0, wh) / largest) * 100}%` }} />
    </span>
  )
}

/** How well a row is known, in words. */
function Known({ row }: { row: EnergyRow }) {
  const { t } = useTranslation('energy')
  if (row.IsPart) return <span className="mute">{t('onlyPart')}</span>
  if (row.Wh === null) return <span>{t('gap')}</span>
  if (row.LackingS > 0) return <span>{t('part', { time: span(row.LackingS * 1_000) })}</span>
  if (row.Estimated > 0) return <span>{t('estimated')}</span>
  if (row.Entered > 0) return <span>{t('entered')}</span>
  return <span className="mute">{row.Boundary === 'sum' ? t('maybeTwice') : t('complete')}</span>
}
