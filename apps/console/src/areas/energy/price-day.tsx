import type { PriceDay as Day, Project } from '@linewarden/contract'
import { getPriceDay } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { keepPreviousData } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { Icon } from '../../ui/icon.tsx'
import { MomentChoice } from '../../ui/moment-field.tsx'
import { serverNow } from '../../ui/use-now.ts'
import { useWidth } from '../../ui/use-width.ts'
import { priceAxis, priceFigures, priceRuns } from './price-day-values.ts'
import { unitOf } from './tariff-values.ts'

/** The prices of one day of a tariff, quarter by quarter, to be looked at and to be read; today, or the last day before `until`, Unix ms. */
export function PriceDay(props: { house: Project; tariffId: number; currency: string; until: number }) {
  const { house, tariffId, currency, until } = props
  const { t, i18n } = useTranslation('energyPrices')
  const [day, setDay] = useState(() => civilZone(house.TimeZone).dayAt(Math.min(serverNow(), until - 1)))
  const date = dateText(day)
  const query = useCall(
    getPriceDay,
    { query: { HouseID: house.HouseID, TariffID: tariffId, Date: date } },
    { placeholderData: keepPreviousData },
  )
  const unit = unitOf(currency, i18n.language)
  return (
    <section className="price-day" aria-label={t('dayTitle')}>
      <p className="energy-stepper">
        <button type="button" className="btn quiet" aria-label={t('dayBefore')} onClick={() => setDay(day - 1)}>
          <Icon name="left" />
        </button>
        <MomentChoice kind="day" label={t('dayDate')} at={day * dayMs} onChoose={(at) => at !== null && setDay(at / dayMs)} />
        <button type="button" className="btn quiet" aria-label={t('dayAfter')} onClick={() => setDay(day + 1)}>
          <Icon name="right" />
        </button>
      </p>
      <Unloaded query={query} />
      {query.data && <Prices quarters={query.data.Quarters} date={date} unit={unit} isOld={query.isPlaceholderData} />}
    </section>
  )
}

type Quarters = Day['Quarters']

const places = 4

function Prices({ quarters, date, unit, isOld }: { quarters: Quarters; date: string; unit: string; isOld: boolean }) {
  const { t } = useTranslation('energyPrices')
  const figures = priceFigures(quarters)
  if (figures === null) return <p className="mute">{t('dayNone')}</p>
  const { least, most, mean, negative, unknown } = figures
  const text = (price: number) => price.toFixed(places).replace('-', '−')
  const label = t('dayChart', { date, least: text(least), most: text(most), unit })
  return (
    <div aria-busy={isOld}>
      <p className="mute">
        {[
          t('dayMean', { mean: text(mean) }),
          negative > 0 && t('dayNegative', { count: negative }),
          unknown > 0 && t('dayUnknown', { count: unknown }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <Chart quarters={quarters} label={label} unit={t('dayPrice', { unit })} />
      <details>
        <summary>{t('dayTable')}</summary>
        <table className="energy-table">
          <thead>
            <tr>
              <th scope="col">{t('dayTime')}</th>
              <th scope="col" className="num">
                {t('dayPrice', { unit })}
              </th>
            </tr>
          </thead>
          <tbody>
            {priceRuns(quarters).map(({ from, to, price, first }) => (
              <tr key={first}>
                <th scope="row">
                  {from}–{to}
                </th>
                <td className="num">{price === null ? '–' : text(price)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

const height = 200
const margin = { top: 16, right: 8, bottom: 24, left: 56 }

function Chart({ quarters, label, unit }: { quarters: Quarters; label: string; unit: string }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  return (
    <div className="energy-chart" ref={box}>
      {width > 0 && <Drawn {...{ quarters, label, unit, width }} />}
    </div>
  )
}

function Drawn({ quarters, label, unit, width }: { quarters: Quarters; label: string; unit: string; width: number }) {
  const runs = priceRuns(quarters)
  const { least, most } = priceFigures(quarters) ?? { least: 0, most: 0 }
  const { bottom, top, step } = priceAxis(least, most)
  const inner = { width: Math.max(1, width - margin.left - margin.right), height: height - margin.top - margin.bottom }
  const x = (index: number) => margin.left + (inner.width * index) / Math.max(1, quarters.length)
  const y = (price: number) => margin.top + inner.height * ((top - price) / (top - bottom || 1))
  const lines = Array.from({ length: Math.round((top - bottom) / (step || 1)) + 1 }, (_, index) => bottom + index * step)
  const hours = width < 480 ? 6 : 3
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <text className="energy-axis" x={margin.left - 8} y={margin.top - 4} textAnchor="end">
        {unit}
      </text>
      {lines.map((price) => (
        <g key={price}>
          <path className="energy-grid" d={`M${margin.left} ${y(price)}H${width - margin.right}`} />
          {price < top && (
            <text className="energy-axis" x={margin.left - 8} y={y(price) + 4} textAnchor="end">
              {price.toFixed(2).replace('-', '−')}
            </text>
          )}
        </g>
      ))}
      {runs.map(
        ({ first, count, price }) =>
          price !== null && (
            <rect
              key={first}
              className="energy-bar"
              x={x(first)}
              width={Math.max(1, x(first + count) - x(first) - 1)}
              y={Math.min(y(0), y(price))}
              height={Math.max(1, Math.abs(y(price) - y(0)))}
            />
          ),
      )}
      <path className="price-nought" d={`M${margin.left} ${y(0)}H${width - margin.right}`} />
      {quarters.map(
        ({ At, Clock }, index) =>
          Clock.endsWith(':00') &&
          Number(Clock.slice(0, 2)) % hours === 0 && (
            <text key={At} className="energy-axis" x={x(index)} y={height - 8}>
              {Clock}
            </text>
          ),
      )}
    </svg>
  )
}
