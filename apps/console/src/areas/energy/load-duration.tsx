import type { DurationRow, LoadAbout } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Cursor } from './load-cursor.tsx'
import { kwDigits, kwText, linePath } from './load-figures.ts'
import { frame, KwAxis, kwAxis, LoadData, LoadPanel, NoLoad, Wide } from './load-panel.tsx'
import type { LoadAsked } from './use-load.ts'
import { useLoad } from './use-load.ts'

/** For how much of the time which load is reached. */
export function DurationPanel({ asked }: { asked: LoadAsked }) {
  const { t } = useTranslation('loads')
  const { query, rows, about } = useLoad(asked, 'duration')
  return (
    <LoadPanel title={t('duration')} hint={about && t('durationHint', { count: about.Quarters })} query={query}>
      {rows?.length === 0 && <NoLoad />}
      {rows && about && rows.length > 0 && (
        <>
          <Wide height={frame.height}>{(width) => <Picture width={width} rows={rows} about={about} />}</Wide>
          <Table rows={rows} digits={kwDigits(about.Max)} />
        </>
      )}
    </LoadPanel>
  )
}

/** Shares that people know the curve by, %. */
const knownShares: ReadonlySet<number> = new Set([1, 5, 10, 25, 50, 75, 90, 95, 99])
const sharesShown = [5, 25, 50, 75, 95]
const half = 50

function Picture({ width, rows, about }: { width: number; rows: readonly DurationRow[]; about: LoadAbout }) {
  const { t } = useTranslation('loads')
  const digits = kwDigits(about.Max)
  const axis = kwAxis(rows[0]?.KW ?? 0)
  const inner = Math.max(1, width - frame.left - frame.right)
  const x = (share: number) => frame.left + (inner * share) / 100
  const ground = frame.height - frame.bottom
  const curve = linePath(rows.map(({ Share, KW }) => [x(Share), axis.y(KW)]))
  const read = (place: number): string => {
    const { Share = 0, KW = 0 } = rows[place] ?? {}
    return t('durationAt', { share: Share, kw: kwText(KW, digits) })
  }
  const placeAt = (at: number): number | null => {
    const share = ((at - frame.left) / inner) * 100
    if (share < 0 || share > 100) return null
    const after = rows.findIndex(({ Share }) => Share >= share)
    const before = Math.max(0, after - 1)
    return share - (rows[before]?.Share ?? 0) < (rows[after]?.Share ?? 100) - share ? before : after
  }
  const start = rows.findIndex(({ Share }) => Share === half)
  return (
    <Cursor label={t('duration')} count={rows.length} start={Math.max(0, start)} read={read} placeAt={placeAt}>
      {(place) => {
        const at = place === null ? undefined : rows[place]
        return (
          <svg width={width} height={frame.height} viewBox={`0 0 ${width} ${frame.height}`} aria-hidden="true">
            <KwAxis axis={axis} width={width} />
            <path className="load-range" d={`${curve}L${x(100)} ${ground}L${x(0)} ${ground}Z`} />
            <path className="load-line" d={curve} />
            {about.Mean !== null && (
              <>
                <path className="load-mean" d={`M${frame.left} ${axis.y(about.Mean)}H${width - frame.right}`} />
                <text className="load-mean-text" x={width - frame.right} y={axis.y(about.Mean) - 5} textAnchor="end">
                  {t('meanLine', { kw: kwText(about.Mean, digits) })}
                </text>
              </>
            )}
            {rows.map(
              ({ Share, KW }) =>
                knownShares.has(Share) && (
                  <rect className="load-dot" key={Share} x={x(Share) - 2.5} y={axis.y(KW) - 2.5} width="5" height="5" />
                ),
            )}
            {sharesShown.map((share) => (
              <text className="energy-axis" key={share} x={x(share)} y={frame.height - 6} textAnchor="middle">
                {share}%
              </text>
            ))}
            {at && <path className="load-cursor" d={`M${x(at.Share)} ${frame.top}V${ground}`} />}
            {at && <circle className="load-dot" cx={x(at.Share)} cy={axis.y(at.KW)} r="3.5" />}
          </svg>
        )
      }}
    </Cursor>
  )
}

function Table({ rows, digits }: { rows: readonly DurationRow[]; digits: number }) {
  const { t } = useTranslation('loads')
  const shown = rows.filter(({ Share }) => knownShares.has(Share) || Share === 0 || Share === 100)
  return (
    <LoadData label={t('duration')}>
      <thead>
        <tr>
          <th scope="col">{t('share')}</th>
          <th scope="col" className="num">
            kW
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ Share, KW }) => (
          <tr key={Share}>
            <th scope="row">{Share} %</th>
            <td className="num">{kwText(KW, digits)}</td>
          </tr>
        ))}
      </tbody>
    </LoadData>
  )
}
