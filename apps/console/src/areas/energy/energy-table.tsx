import type { EnergyPicture } from '@linewarden/contract'
import type { EnergyUnit } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { span } from '../../ui/format.ts'
import type { shownKwh } from './figures.ts'
import { grouped } from './figures.ts'
import type { OpenOrigin } from './origin-figure.tsx'
import { BarFigure } from './origin-figure.tsx'
import { within } from './period.ts'

type Bar = EnergyPicture['Bars'][number]

/** The same as the bars, to be read; a period opens into the smaller ones that it is made of. */
export function EnergyTable(props: {
  bars: readonly Bar[]
  /** By then what has not begun is left out, Unix ms. */
  at: number
  unit: EnergyUnit
  shown: ReturnType<typeof shownKwh>
  isCompared: boolean
  onOpen: (part: NonNullable<ReturnType<typeof within>>) => void
  onOrigin: OpenOrigin
}) {
  const { bars, at, unit, shown, isCompared, onOpen, onOrigin } = props
  const { t } = useTranslation('energy')
  const hasCarbon = bars.some(({ CarbonG }) => CarbonG !== null)
  return (
    <table className="energy-table">
      <caption>{t('table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('time')}</th>
          <th scope="col" className="num">
            kWh
          </th>
          {hasCarbon && (
            <th scope="col" className="num">
              {t('carbonKg')}
            </th>
          )}
          {isCompared && (
            <th scope="col" className="num">
              {t('otherKwh')}
            </th>
          )}
          <th scope="col">{t('state')}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(
          (bar, index) =>
            bar.Start <= at && (
              <tr key={`${bar.Civil} ${bar.Clock}`}>
                <th scope="row">
                  <BarName bar={bar} unit={unit} onOpen={onOpen} />
                </th>
                <td className="num">
                  <BarFigure bar={bar} figure={shown.bars[index] ?? '–'} onOrigin={onOrigin} />
                </td>
                {hasCarbon && <td className="num">{bar.CarbonG === null ? '–' : grouped(bar.CarbonG / 1_000, 1)}</td>}
                {isCompared && <td className="num mute">{shown.of(bar.Compared?.Wh ?? null)}</td>}
                <td>
                  <BarState bar={bar} />
                </td>
              </tr>
            ),
        )}
      </tbody>
    </table>
  )
}

/** A period, which opens into the smaller ones that it is made of. */
export function BarName({
  bar,
  unit,
  onOpen,
}: {
  bar: Bar
  unit: EnergyUnit
  onOpen: (part: NonNullable<ReturnType<typeof within>>) => void
}) {
  const { t } = useTranslation('energy')
  const part = bar.Clock === 'skipped' ? null : within(unit, bar.Civil)
  if (part)
    return (
      <button type="button" className="energy-open" onClick={() => onOpen(part)}>
        {bar.Civil}
      </button>
    )
  return (
    <>
      {bar.Civil}
      {bar.Clock === 'first' && t('first')}
      {bar.Clock === 'second' && t('second')}
    </>
  )
}

/** How well a bar is known, in words. */
export function BarState({ bar }: { bar: Bar }) {
  const { t } = useTranslation('energy')
  if (bar.Clock === 'skipped') return <span className="mute">{t('skipped')}</span>
  if (bar.UnknownS > 0 && bar.Wh === null) return <span>{t('gap')}</span>
  if (bar.LackingS > 0) return <span>{t('part', { time: span(bar.LackingS * 1_000) })}</span>
  if (bar.OpenS > 0) return <span className="mute">{t('open')}</span>
  if (bar.Estimated > 0) return <span>{t('estimated')}</span>
  if (bar.Entered > 0) return <span>{t('entered')}</span>
  return <span className="mute">{t('complete')}</span>
}
