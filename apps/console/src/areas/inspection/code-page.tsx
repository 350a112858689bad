import { inspectionCode } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link, Navigate } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { gatewayLive, paths, phoneStop, projectLive } from '../../paths.ts'
import { Page } from '../../ui/page.tsx'

/** What a label leads to: the stop of the round that is under way there, else the equipment itself. */
export function CodePage({ code }: { code: string }) {
  const { t } = useTranslation('inspection')
  const query = useCall(inspectionCode, { params: { Code: code } }, { retry: false })
  const { data } = query
  if (data) {
    const [only, ...others] = data.Stops
    if (only && others.length === 0) return <Navigate to={phoneStop(only.RoundID, only.StopID)} replace />
    if (!only)
      return (
        <Navigate to={data.DeviceID === null ? projectLive(data.HouseID) : gatewayLive(data.HouseID, data.DeviceID)} replace />
      )
  }
  return (
    <Page title={t('labelTitle')} crumb={data?.Name ?? ''}>
      <div className="labels-pick">
        <Unloaded query={query} />
        {data && <p>{t('whichRound')}</p>}
        <ul className="round-choices">
          {data?.Stops.map(({ RoundID, StopID, Name }) => (
            <li key={`${RoundID} ${StopID}`}>
              <Link className="btn large" to={phoneStop(RoundID, StopID)}>
                {Name} · {t('stopNo', { count: StopID })}
              </Link>
            </li>
          ))}
        </ul>
        {query.error && (
          <Link className="text-link" to={paths.rounds}>
            {t('title')}
          </Link>
        )}
      </div>
    </Page>
  )
}
