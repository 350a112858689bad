import type { DeviceDataRow, Project, ZoneClock } from '@linewarden/contract'
import type { Point } from '@linewarden/equipment'
import type { DeviceDataStep } from '@linewarden/rules/report'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { hourTwice, isMissing, marksOf, rangeText, timeText } from './row-words.ts'

interface Shown {
  readonly points: readonly Point[]
  readonly step: DeviceDataStep
  readonly zone: ZoneClock
}

/** One page of rows; what is missing is a dash on a hatched ground, and never nought. */
export function DataTable(
  props: Shown & {
    rows: readonly DeviceDataRow[]
    lines: readonly LineRef[]
    isWaiting: boolean
    standard: Project['Standard']
  },
) {
  const { rows, lines, points, step, zone, isWaiting, standard } = props
  const { t } = useTranslation(['deviceData', 'app'])
  const byId = new Map(lines.map((each) => [each.line.LineID, each]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <div className="data-scroll" tabIndex={0} role="region" aria-label={t('table')} aria-busy={isWaiting}>
      <table
        className={isWaiting ? 'data-table waiting' : 'data-table'}
        aria-label={t('table')}
        data-phases={standard === 'IEC' ? 'iec' : undefined}
      >
        <thead>
          <tr>
            <th scope="col" className="when">
              {t('app:time')}
            </th>
            <th scope="col" className="which">
              {t('line')}
            </th>
            {points.map((point) => (
              <PointHead key={point.key} point={point} step={step} />
            ))}
            <th scope="col" className="how">
              {t('quality')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <Row
              key={`${row.At}.${row.LineID}`}
              {...{ row, points, step, zone }}
              lineRef={byId.get(row.LineID)}
              begins={rows[i - 1]?.At !== row.At}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PointHead({ point, step }: { point: Point; step: DeviceDataStep }) {
  const { t } = useTranslation('deviceData')
  const isBand = hasBand(point, step)
  return (
    <th scope="col" className={isBand ? 'figure band' : 'figure'}>
      <span className="named">
        {point.phase && <i className="phase" style={{ '--of': phaseColours[point.phase] } as CSSProperties} />}
        {localised(point.label)}
        <span className="unit">{point.unit}</span>
      </span>
      <span className="parts">
        <span>{t(isBand ? 'mean' : step === 'raw' ? 'value' : 'used')}</span>
        {isBand && <span>{t('range')}</span>}
      </span>
    </th>
  )
}

const hasBand = ({ quantity }: Point, step: DeviceDataStep): boolean => step !== 'raw' && quantity !== 'energy'

const phaseColours = { A: 'var(--ph-a)', B: 'var(--ph-b)', C: 'var(--ph-c)', N: 'var(--neutral)' } as const

function Row(props: Shown & { row: DeviceDataRow; lineRef: LineRef | undefined; begins: boolean }) {
  const { row, points, step, zone, lineRef, begins } = props
  const { t } = useTranslation('deviceData')
  const twice = hourTwice(zone, row.At, step)
  return (
    <tr className={[begins && 'begins', isMissing(row) && 'missing'].filter(Boolean).join(' ') || undefined}>
      <td className="when">
        {timeText(zone, row.At, step)}
        {twice && <small> {t(twice)}</small>}
      </td>
      <th scope="row" className="which" title={lineRef && `${lineRef.gateway.GatewayName} · ${lineRef.device.Name}`}>
        <bdi>{lineRef?.line.LineName || lineRef?.device.Name}</bdi> <LineTag lineId={row.LineID} />
      </th>
      {points.map((point, i) => (
        <Figure key={point.key} point={point} step={step} figureOf={row.Figures[i] ?? null} />
      ))}
      <td className="how">
        <Quality row={row} />
      </td>
    </tr>
  )
}

function Figure(props: { point: Point; step: DeviceDataStep; figureOf: DeviceDataRow['Figures'][number] }) {
  const { point, step, figureOf } = props
  const { t } = useTranslation('deviceData')
  const head = localised(point.label)
  if (figureOf === null)
    return (
      <td className="figure none" data-head={head}>
        <span className="hidden-visually">{t('noSuchPoint')}</span>
      </td>
    )
  const range = rangeText(figureOf, point.precision)
  const isBand = hasBand(point, step)
  const kind = ['figure', isBand && 'band', figureOf.Value === null && 'hatch'].filter(Boolean).join(' ')
  return (
    <td className={kind} data-head={head}>
      <span className="parts">
        <span>{figure(figureOf.Value, point.precision)}</span>
        {isBand && <small>{range}</small>}
      </span>
    </td>
  )
}

/** How complete it is, as a bar and in figures, and what else is to be known. */
function Quality({ row }: { row: DeviceDataRow }) {
  const { t } = useTranslation('deviceData')
  const { Complete } = row
  return (
    <span className="quality">
      {Complete !== null && (
        <span className={Complete < 95 ? 'share low' : 'share'} title={t('complete', { percent: Complete })}>
          <i aria-hidden="true">
            <b style={{ width: `${Complete}%` }} />
          </i>
          <span>{Complete}%</span>
        </span>
      )}
      {marksOf(row).map((mark) => (
        <span key={mark} className={`of ${mark}`}>
          {t(`marks.${mark}`)}
        </span>
      ))}
    </span>
  )
}
