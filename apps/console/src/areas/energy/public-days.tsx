import type { Project } from '@linewarden/contract'
import { tariffDays } from '@linewarden/contract'
import { civilZone, yearOf } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useByNow } from '../../ui/use-now.ts'

/** What the dates of a year are to a tariff. They are entered in the calendar of the project, which timers go by, too. */
export function PublicDays({ house }: { house: Project }) {
  const { t } = useTranslation('energySettings')
  const today = useByNow((now) => civilZone(house.TimeZone).dayAt(now))
  const [chosen, setYear] = useState<number | null>(null)
  const year = chosen ?? yearOf(today)
  const query = useCall(tariffDays, { query: { HouseID: house.HouseID, Year: year } })
  const { data } = query
  const mayOpen = useMayOpen(paths.timers)
  return (
    <section className="energy-part" aria-label={t('publicDays')}>
      <header>
        <h2>{t('publicDays')}</h2>
        <span className="energy-stepper">
          <button type="button" className="btn quiet" aria-label={t('previousYear')} onClick={() => setYear(year - 1)}>
            <Icon name="left" />
          </button>
          <b aria-live="polite">{t('year', { year })}</b>
          <button type="button" className="btn quiet" aria-label={t('nextYear')} onClick={() => setYear(year + 1)}>
            <Icon name="right" />
          </button>
        </span>
      </header>
      <p className="mute">
        {t('publicDaysHint')}{' '}
        {mayOpen && <Link to={`${paths.timers}?calendar=1&house=${house.HouseID}&year=${year}`}>{t('toCalendar')}</Link>}
      </p>
      {!data && <Unloaded query={query} />}
      {data && !data.IsEntered && (
        <p className="public-days-none" role="status">
          <Mark kind="warning" />
          {t('yearByWeekday', { year })}
        </p>
      )}
      {data && data.Days.length > 0 && (
        <table className="energy-table">
          <thead>
            <tr>
              <th scope="col">{t('dayDate')}</th>
              <th scope="col">{t('dayType')}</th>
              <th scope="col">{t('dayName')}</th>
              <th scope="col">{t('dayOrigin')}</th>
            </tr>
          </thead>
          <tbody>
            {data.Days.map(({ Date: date, DayType, Name, IsBundled }) => (
              <tr key={date}>
                <th scope="row">{date}</th>
                <td>{t(`dayTypes.${DayType}`)}</td>
                <td>{Name}</td>
                <td className="mute">{t(IsBundled ? 'bundled' : 'entered')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
