import type { EnergyOrigin, getOrigin, Request } from '@linewarden/contract'
import { getOrigin as originCall } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { projectMoment } from '../../plant/project-moment.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { OriginPlace } from './origin-address.ts'
import { OriginFixes, OriginHow } from './origin-how.tsx'
import { OriginParts, OriginVersions } from './origin-parts.tsx'
import { OriginRegisters } from './origin-registers.tsx'
import { OriginSteps } from './origin-steps.tsx'
import { energyOrigin } from './origin-texts.ts'
import { kwhExact } from './origin-values.ts'
import { everyMs } from './period.ts'
import './origin.css'

addTexts({ energyOrigin })

/** What a page shows: a part of it is looked into by itself. */
type OriginAsk = Omit<Request<typeof getOrigin>['query'], 'From' | 'To'>

/** Where a figure comes from, down to two readings of a register. The address holds how far somebody has walked down. */
export function OriginDrawer(props: {
  ask: OriginAsk
  places: readonly OriginPlace[]
  go: (to: readonly OriginPlace[]) => void
}) {
  const { ask, places, go } = props
  const place = places.at(-1)
  return (
    place && <Sheet key={`${place.part?.kind} ${place.part?.id} ${place.from} ${place.to}`} {...{ ask, place, places, go }} />
  )
}

function Sheet(props: {
  ask: OriginAsk
  place: OriginPlace
  places: readonly OriginPlace[]
  go: (to: readonly OriginPlace[]) => void
}) {
  const { ask, place, places, go } = props
  const { t } = useTranslation(['energyOrigin', 'energy'])
  // A narrower stretch of a part is of the same part.
  const part = places.findLast((each) => each.part !== null)?.part ?? null
  const named = part === null ? ask : part.kind === 'line' ? { LineID: part.id } : { MeterID: part.id }
  const query = useCall(originCall, { query: { ...named, From: place.from, To: place.to } }, { refetchInterval: everyMs })
  const origin = query.data
  const walk = (to: OriginPlace) => go([...places, to])
  return (
    <Drawer
      label={t('title')}
      title={
        <>
          {places.length > 1 && (
            <button type="button" className="btn quiet" aria-label={t('back')} onClick={() => go(places.slice(0, -1))}>
              <Icon name="left" />
            </button>
          )}
          <h2>{t('title')}</h2>
        </>
      }
      subtitle={origin && <Subtitle origin={origin} />}
      onClose={() => go([])}
    >
      <div className="drawer-parts origin">
        <Unloaded query={query} />
        {origin && (
          <>
            <OriginHow origin={origin} />
            {origin.Line && <OriginRegisters origin={origin} line={origin.Line} />}
            {origin.Line && (
              <OriginSteps zone={origin.Zone} line={origin.Line} onOpen={(from, to) => walk({ part: null, from, to })} />
            )}
            {origin.Line && <OriginFixes zone={origin.Zone} fixes={origin.Line.Fixes} />}
            {!origin.Line && <OriginParts origin={origin} onOpen={(to) => walk({ part: to, from: place.from, to: place.to })} />}
            {origin.Boundary === 'supply' && <OriginVersions versions={origin.Versions} />}
          </>
        )}
      </div>
    </Drawer>
  )
}

function Subtitle({ origin: { Name, Zone, From, To, Wh } }: { origin: EnergyOrigin }) {
  return (
    <p className="mute">
      {[Name, `${projectMoment(From, Zone)} – ${projectMoment(To, Zone)}`, `${kwhExact(Wh)} kWh`].filter(Boolean).join(' · ')}
    </p>
  )
}
