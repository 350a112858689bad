import type { ReactNode } from 'react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueryState } from '../../app/net/combined-query.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { grouped } from './figures.ts'
import { kwScale, stepDigits } from './load-figures.ts'

/** One of the charts, or what stands in its place; the former one stays, greyed, until the new one is there. */
export function LoadPanel(props: {
  title: string
  hint?: string | undefined
  tools?: ReactNode
  query?: QueryState & { readonly isPlaceholderData: boolean }
  children: ReactNode
}) {
  const { title, hint, tools, query, children } = props
  return (
    <section className="load-panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {hint && <small>{hint}</small>}
        {tools}
      </header>
      {query && <Unloaded query={query} />}
      <div aria-busy={query?.isPlaceholderData || undefined}>{children}</div>
    </section>
  )
}

/** What a chart shows, to be read. */
export function LoadData({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation('loads')
  return (
    <details className="load-data">
      <summary>{t('table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="load-scroll" role="region" aria-label={label} tabIndex={0}>
        <table aria-label={label}>{children}</table>
      </div>
    </details>
  )
}

export function NoLoad() {
  const { t } = useTranslation('loads')
  return (
    <div className="void">
      <b>{t('none')}</b>
      <p>{t('noneHint')}</p>
    </div>
  )
}

/** The width of the panel, for what is drawn to it. */
export function Wide({ height, children }: { height: number; children: (width: number) => ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  return (
    <div ref={box} style={{ minHeight: height }}>
      {width > 0 && children(width)}
    </div>
  )
}

export const frame = { height: 260, top: 20, right: 12, bottom: 24, left: 52 } as const

/** Where kW stand in a chart. */
export function kwAxis(most: number) {
  const { top, step } = kwScale(most)
  const inner = frame.height - frame.top - frame.bottom
  return { top, step, y: (kw: number): number => frame.top + inner * (1 - kw / top) }
}

/** The lines of the axis, and its unit. */
export function KwAxis({ axis: { top, step, y }, width }: { axis: ReturnType<typeof kwAxis>; width: number }) {
  const digits = stepDigits(step)
  const steps = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  return (
    <>
      <text className="energy-axis" x={frame.left - 8} y={12} textAnchor="end">
        kW
      </text>
      {steps.map((kw) => (
        <g key={kw}>
          <path className="energy-grid" d={`M${frame.left} ${y(kw)}H${width - frame.right}`} />
          {kw < top && (
            <text className="energy-axis" x={frame.left - 8} y={y(kw) + 4} textAnchor="end">
              {grouped(kw, digits)}
            </text>
          )}
        </g>
      ))}
    </>
  )
}
