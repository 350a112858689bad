import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { watchHouses } from '../../app/net/live-link.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useMayOpen } from '../../app/session/use-may.ts'
import { lineDrawer, paths } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { live, useLivePulse } from '../../plant/live-store.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { DeviceFacts } from './device-facts.tsx'
import { DeviceLines } from './device-lines.tsx'
import { DeviceState } from './device-state.tsx'
import { DeviceValues } from './device-values.tsx'
import { LifeSafety } from './life-safety.tsx'
import { Stage, useFrame } from './stage.tsx'
import { StoppedBand } from './stopped-band.tsx'
import { CallBanner, TakeoverBand } from './takeover-column.tsx'
import { useDevice } from './use-device.ts'
import { useNightly } from './use-nightly.ts'
import { usePictureAge } from './use-picture-age.ts'
import { usePlant } from './use-plant.ts'
import { useWallCalls } from './wall-calls.ts'
import { WallHead } from './wall-head.tsx'
import { WallPanel } from './wall-panel.tsx'
import { TakeoverSound } from './wall-sound.ts'
import { worstFirst } from './worst-line.ts'
import './detail.css'

/** One device with all that it reports, on a wall (设备). */
export function DetailPage() {
  const { ControllerID = '' } = useParams()
  return <DeviceOf key={ControllerID} controllerId={ControllerID} />
}

/** So long somebody reads that there is no such device. */
const backAfterMs = 10_000

function NotHere() {
  const { t } = useTranslation('screen')
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => navigate(paths.bigScreen, { replace: true }), backAfterMs)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <main className="wall-void">
      <h1 className="hidden-visually">{t('device')}</h1>
      <Empty
        title={t('deviceNotHere')}
        hint={t('deviceNotHereHint')}
        action={{ label: t('toOverview'), run: () => navigate(paths.bigScreen, { replace: true }) }}
      />
    </main>
  )
}

function DeviceOf({ controllerId }: { controllerId: string }) {
  const isPhone = usePhone()
  const { lines, query } = useDevice(controllerId)
  const houseId = lines?.[0]?.project.HouseID
  useEffect(() => {
    watchHouses(houseId === undefined ? [] : [houseId])
    return () => watchHouses([])
  }, [houseId])
  if (lines === null)
    return (
      <main className="wall-void">
        <Unloaded query={query} />
      </main>
    )
  const [first] = lines
  if (!first) return <NotHere />
  const page = <DevicePage lines={lines} first={first} />
  return isPhone ? page : <Stage>{page}</Stage>
}

/** So long a device stays that somebody opened from another page of the wall, and then left alone. */
const returnAfterMs = 60_000

/** What was opened by its own address stays. */
function useReturn(): void {
  const navigate = useNavigate()
  const { state } = useLocation()
  const isOpened = (state as { readonly opened?: boolean } | null)?.opened === true
  useEffect(() => {
    if (!isOpened) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => navigate(-1), returnAfterMs)
    }
    wait()
    const signs = ['keydown', 'pointermove', 'pointerdown', 'wheel'] as const
    for (const sign of signs) addEventListener(sign, wait)
    return () => {
      clearTimeout(timer)
      for (const sign of signs) removeEventListener(sign, wait)
    }
  }, [isOpened, navigate])
}

/** Of several lines the one that somebody chose, else the one that stands worst. */
function DevicePage({ lines, first }: { lines: readonly LineRef[]; first: LineRef }) {
  const { t } = useTranslation(['screen', 'monitor'])
  const isPhone = usePhone()
  const { project, gateway, device, family } = first
  const frame = useFrame()
  const isTall = !isPhone && frame.height > frame.width
  const { plant } = usePlant(project.HouseID)
  const { age, since } = usePictureAge()
  const calls = useWallCalls(project.HouseID)
  const { takeover, banner } = calls
  useNightly(project.TimeZone, age === 'live' && takeover === null && banner.length === 0)
  const [address, setAddress] = useSearchParams()
  const mayOpenLive = useMayOpen(paths.realtime)
  const pulse = useLivePulse()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pulse says that the live store moved
  const worst = useMemo(() => worstFirst(lines, live)[0] ?? first, [lines, first, pulse])
  const shown = lines.find(({ line }) => line.LineID === Number(address.get('line'))) ?? worst
  const lineIds = useMemo(() => lines.map(({ line }) => line.LineID), [lines])
  const isOfNow = age === 'live'
  useReturn()
  const choose = (lineId: number) => {
    address.set('line', String(lineId))
    setAddress(address, { replace: true })
  }
  return (
    <div className={`${isPhone ? 'detail-phone' : 'wall'} ${isTall ? 'tall ' : ''}detail ${age}`}>
      {isPhone ? (
        <h1>
          {shown.line.LineName} <LineTag lineId={shown.line.LineID} />
        </h1>
      ) : (
        <WallHead
          title={shown.line.LineName}
          under={[project.Name, gateway.GatewayName, device.Model].join(' · ')}
          project={project}
          age={age}
          lineIds={lineIds}
        >
          <LineTag lineId={shown.line.LineID} />
        </WallHead>
      )}
      {since !== null && <StoppedBand since={since} zone={project.TimeZone} />}
      {takeover && <TakeoverBand takeover={takeover} zone={project.TimeZone} />}
      <CallBanner banner={banner} zone={project.TimeZone} />
      <main className="detail-body" aria-label={t('device')}>
        <section className="device-now" aria-label={t('stateNow')}>
          <DeviceState lineRef={shown} isOfNow={isOfNow} />
          {mayOpenLive && (
            <Link className="btn" to={lineDrawer(project.HouseID, shown.line.LineID)}>
              {t('openLive')}
            </Link>
          )}
          {lines.length > 1 && <DeviceLines lines={lines} shown={shown} choose={choose} />}
        </section>
        <WallPanel name={t('monitor:values')}>
          {family ? <DeviceValues key={shown.line.LineID} lineRef={shown} family={family} /> : <p>{t('familyUnknown')}</p>}
        </WallPanel>
        <WallPanel name={t('supplyPath')}>
          <DeviceFacts lineRef={shown} plant={plant} />
        </WallPanel>
      </main>
      {takeover?.isLifeSafety && !isPhone && <LifeSafety takeover={takeover} zone={project.TimeZone} />}
      <TakeoverSound calls={calls} />
    </div>
  )
}
