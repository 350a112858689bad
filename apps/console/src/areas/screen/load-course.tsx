import type { LoadQuarterRow } from '@linewarden/contract'
import { listLoad } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import { useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { useByNow } from '../../ui/use-now.ts'
import { axisOf, courseOf, pathsOf } from './course.ts'
import { civilDay } from './energy-today.ts'

const everyMs = 300_000
const height = 196
const plot = { left: 52, right: 24, top: 18, bottom: 30 }

/** The load of a project by the quarter, today and yesterday: a picture of our own, for a wall loads no library of charts. */
export function LoadCourse({ houseId, zone, width }: { houseId: number; zone: string; width: number }) {
  return useMayOpen(paths.energy) ? <Course houseId={houseId} zone={zone} width={width} /> : null
}

function Course({ houseId, zone, width }: { houseId: number; zone: string; width: number }) {
  const { t } = useTranslation('screen')
  const today = useByNow((now) => civilDay(now, zone))
  const yesterday = useByNow((now) => civilDay(now, zone, -1))
  const tomorrow = useByNow((now) => civilDay(now, zone, 1))
  const body = { HouseID: houseId, From: yesterday, To: tomorrow, Kind: 'quarters' } as const
  const { data } = useCall(listLoad, { body }, { refetchInterval: everyMs })
  const rows = (data?.items ?? []) as readonly LoadQuarterRow[]
  const days = courseOf(rows, zone)
  const top = axisOf([...(days.get(today) ?? []), ...(days.get(yesterday) ?? [])])
  const inside = { width: width - plot.left - plot.right, height: height - plot.top - plot.bottom, top }
  const isKnown = rows.some(({ KW }) => KW !== null)
  const lineOf = (day: string) => pathsOf(days.get(day) ?? [], inside)
  const now = lineOf(today)
  return (
    <section className="load-course">
      <h2>
        {t('load')} <span>{t('loadDays')}</span>
      </h2>
      {data && !isKnown && <p className="mute">{t('noLoad')}</p>}
      <svg width={width} height={height} role="img" aria-label={t('load')} style={isKnown ? undefined : { display: 'none' }}>
        <g transform={`translate(${plot.left} ${plot.top})`}>
          {[0, 0.5, 1].map((share) => {
            const y = inside.height * (1 - share)
            return (
              <g key={share}>
                <path className={share === 0 ? 'zero' : 'rule'} d={`M0 ${y}H${inside.width}`} />
                <text x={-8} y={y + 5} textAnchor="end">
                  {top * share}
                </text>
              </g>
            )
          })}
          {[0, 4, 8, 12, 16, 20, 24].map((hour) => (
            <text key={hour} x={(inside.width * hour) / 24} y={inside.height + 24} textAnchor="middle">
              {`${String(hour).padStart(2, '0')}:00`}
            </text>
          ))}
          <path className="yesterday" d={lineOf(yesterday).line} />
          <path className="under" d={now.area} />
          <path className="today-line" d={now.line} />
        </g>
      </svg>
    </section>
  )
}
