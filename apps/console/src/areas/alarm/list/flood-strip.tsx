import { alarmFlood } from '@linewarden/contract'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { keyOf } from '../../../app/net/keys.ts'
import { refreshSoon } from '../../../app/net/refresh-soon.ts'
import { clockTime, span } from '../../../ui/format.ts'
import { Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { useFloodQuery } from '../flood.ts'
import { onEvent } from '../notified-events.ts'
import type { AlarmAddress } from './address.ts'
import { foldOf } from './address.ts'

/** What is announced in a flood comes by the dozen: one question sees it all. */
const askAfterMs = 1_000

/** That more alarms come than anybody can work on: since when, how many, and what is folded meanwhile. Nothing while there is no flood. */
export function FloodStrip({ address, change }: { address: AlarmAddress; change: (to: Partial<AlarmAddress>) => void }) {
  const { t } = useTranslation('alarmMarks')
  const flood = useFloodQuery().data?.Flood ?? null
  const since = flood?.Since ?? 0
  const age = useByNow((now) => span(now - since))
  useEffect(
    () =>
      onEvent((_, isNew) => {
        if (isNew) refreshSoon(keyOf(alarmFlood), askAfterMs)
      }),
    [],
  )
  if (!flood) return null
  const { Announced, Folded, Incidents, More } = flood
  const foldedText = More ? 'floodFoldedMore' : 'floodFolded'
  const byPlace = foldOf(address) === 'place'
  return (
    <div className="flood-strip" role="status" aria-label={t('flood')}>
      <b>
        <Mark kind="warning" />
        {t('flood')}
      </b>
      <span>{t('floodSince', { time: clockTime(since), count: Announced })}</span>
      {/* It goes on with every second: nobody is read that aloud. */}
      <span aria-hidden="true">{age}</span>
      <span>{Folded > 0 ? t(foldedText, { count: Folded, incidents: Incidents }) : t('floodNothingFolded')}</span>
      <span className="apart">{t('floodQuiet')}</span>
      <span className="grow" />
      {!address.past && address.counted === null && (
        <button type="button" className="btn small" onClick={() => change({ fold: byPlace ? 'incident' : 'place' })}>
          {t(byPlace ? 'floodByIncident' : 'floodByPlace')}
        </button>
      )}
    </div>
  )
}

/**
 * A list that is opened in a flood is folded by place, unless its address says how. One that is being read is left as it is when a flood
 * begins: nothing moves under the eye.
 */
export function useFoldedInFlood(address: AlarmAddress, change: (to: Partial<AlarmAddress>) => void): void {
  const [query] = useSearchParams()
  const { data, isPending } = useFloodQuery()
  const isOpened = useRef(false)
  const isChosen = query.has('fold') || address.past || address.counted !== null
  const isFlood = data?.Flood != null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, by the first answer
  useEffect(() => {
    if (isOpened.current || isPending) return
    isOpened.current = true
    if (isFlood && !isChosen) change({ fold: 'place' })
  }, [isPending])
}
