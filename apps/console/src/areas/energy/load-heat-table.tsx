import type { HeatRow } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { heatHow, kwText } from './load-figures.ts'
import { LoadData } from './load-panel.tsx'

/** Days of which each hour has its own column. */
const maxDaysByHour = 31
const hours = Array.from({ length: 24 }, (_, hour) => hour)
const two = (hour: number): string => String(hour).padStart(2, '0')

/** The hours of a month, or what the days of a longer period come to. */
export function HeatTable({ rows, digits }: { rows: readonly HeatRow[]; digits: number }) {
  const { t } = useTranslation('loads')
  return (
    <LoadData label={t('heat')}>
      {rows.length <= maxDaysByHour ? <ByHour rows={rows} digits={digits} /> : <ByDay rows={rows} digits={digits} />}
    </LoadData>
  )
}

function ByHour({ rows, digits }: { rows: readonly HeatRow[]; digits: number }) {
  const { t } = useTranslation('loads')
  return (
    <>
      <thead>
        <tr>
          <th scope="col">{t('heatDay')}</th>
          {hours.map((hour) => (
            <th scope="col" className="num" key={hour}>
              {two(hour)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.Day}>
            <th scope="row">{row.Day}</th>
            {hours.map((hour) => (
              <td className="num" key={hour} title={t(`hows.${heatHow(row, hour)}`)}>
                {kwText(row.KW[hour] ?? null, digits)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  )
}

function ByDay({ rows, digits }: { rows: readonly HeatRow[]; digits: number }) {
  const { t } = useTranslation('loads')
  return (
    <>
      <thead>
        <tr>
          <th scope="col">{t('heatDay')}</th>
          <th scope="col">{t('dayTypes')}</th>
          <th scope="col" className="num">
            {t('heatTop')}
          </th>
          <th scope="col" className="num">
            kW
          </th>
          <th scope="col" className="num">
            {t('heatUnknown')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const most = Math.max(...row.KW.map((kw) => kw ?? Number.NEGATIVE_INFINITY))
          const hour = row.KW.indexOf(most)
          const lacking = row.How.filter((how) => how === 'missing').length
          return (
            <tr key={row.Day}>
              <th scope="row">{row.Day}</th>
              <td>{t(row.DayType)}</td>
              <td className="num">{hour < 0 ? '–' : `${two(hour)}:00`}</td>
              <td className="num">{kwText(hour < 0 ? null : most, digits)}</td>
              <td className="num">{lacking}</td>
            </tr>
          )
        })}
      </tbody>
    </>
  )
}
