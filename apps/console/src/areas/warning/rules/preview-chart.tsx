import type { WarningRulePreview } from '@linewarden/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Picture, ValueAxis } from '../charts/axes.tsx'
import { Hatch } from '../charts/leakage-chart.tsx'
import { previewPicture } from './preview-picture.ts'

const height = 124
/** Half as wide as a date is written. */
const halfDate = 16

/** What would have been raised each day. The difference is shape: full where both rules do, hollow where one does. */
export function PreviewChart({ days }: { days: WarningRulePreview['PerDay'] }) {
  const { t } = useTranslation('warningRules')
  return (
    <Picture label={t('perDay')} height={height}>
      {(width) => <Bars days={days} width={width} />}
    </Picture>
  )
}

function Bars({ days, width }: { days: WarningRulePreview['PerDay']; width: number }) {
  const hatch = useId()
  const { left, right, top, bottom, y, bars, dates } = previewPicture(days, width, height)
  return (
    <>
      <Hatch id={hatch} />
      <ValueAxis scale={y} left={left} right={right} />
      {bars.map((bar) => (
        <g key={bar.day}>
          {!bar.known && <rect className="excluded" x={bar.left} y={top} width={bar.pitch} height={bottom - top} />}
          {!bar.known && <rect fill={`url(#${hatch})`} x={bar.left} y={top} width={bar.pitch} height={bottom - top} />}
          {bar.both.height > 0 && (
            <rect className="bar-both" x={bar.x} y={bar.both.y} width={bar.width} height={bar.both.height} />
          )}
          {bar.more.count > 0 && <Hollow kind="bar-more" bar={bar} part={bar.more} />}
          {bar.fewer.count > 0 && <Hollow kind="bar-fewer" bar={bar} part={bar.fewer} />}
        </g>
      ))}
      {dates.map((bar) => (
        <text key={bar.day} x={Math.min(right, bar.left + bar.pitch / 2 + halfDate)} y={bottom + 16} textAnchor="end">
          {bar.day.slice(5)}
        </text>
      ))}
    </>
  )
}

function Hollow({
  kind,
  bar,
  part,
}: {
  kind: 'bar-more' | 'bar-fewer'
  bar: { readonly x: number; readonly width: number }
  part: { readonly y: number; readonly height: number }
}) {
  return (
    <rect
      className={kind}
      x={bar.x + 0.75}
      y={part.y + 0.75}
      width={Math.max(1, bar.width - 1.5)}
      height={Math.max(1, part.height - 1.5)}
    />
  )
}
