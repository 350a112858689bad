import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useNavigate, useSearchParams } from 'react-router'
import { queryClient } from '../../../app/net/query-client.ts'
import { useSession } from '../../../app/session/session.ts'
import { wallToPair } from '../../../paths.ts'
import { Empty, Loading } from '../../../ui/body-state.tsx'
import { addTexts, localised } from '../../../ui/i18n.ts'
import { takeKey } from './link-key.ts'
import { linkTexts } from './link-texts.ts'
import { Pairing } from './pairing.tsx'
import { answerFromView } from './seat-answers.ts'
import { useBeat } from './use-beat.ts'
import { beginWall, leaveRefusal, useWallSession } from './wall-session.ts'
import './wall-gate.css'

addTexts({ screenLinks: linkTexts })
answerFromView()
beginWall(takeKey())
// Somebody pastes a link where another one is shown: the browser only turns to another place of the same page.
addEventListener('hashchange', () => {
  const key = takeKey()
  if (key !== null) beginWall(key)
})

/** The gate of a wall: a link opens it for nobody in particular; without one it is what lies behind the login. */
export function WallGate({ Guard }: { Guard: ComponentType }) {
  const wall = useWallSession()
  const token = useSession((state) => state.token)
  const wants = useSearchParams()[0].has('pair') ? 'pair' : 'sight'
  if (wall.kind === 'open')
    return (
      <QueryClientProvider client={queryClient}>
        <Beating />
        <Outlet key={wall.times} />
      </QueryClientProvider>
    )
  if (wall.kind === 'opening') return wall.away ? <Away /> : <Loading />
  if (wall.kind === 'refused') return <Refused text={wall.text && localised(wall.text)} waits={wall.waits} />
  if (wants === 'pair' && token === '') return <Pairing />
  return (
    <Suspense fallback={<Loading />}>
      <Guard />
    </Suspense>
  )
}

function Beating() {
  useBeat()
  return null
}

function Away() {
  const { t } = useTranslation('screenLinks')
  return (
    <main className="wall-gate" role="status">
      <Empty title={t('away')} hint={t('awayHint')} />
    </main>
  )
}

/** A wall that nobody touches says why it shows nothing, and to whom to go. */
function Refused({ text, waits }: { text: string | null; waits: boolean }) {
  const { t } = useTranslation('screenLinks')
  const navigate = useNavigate()
  useEffect(() => {
    document.title = t('refused')
  }, [t])
  const pair = () => {
    leaveRefusal()
    void navigate(wallToPair)
  }
  return (
    <main className="wall-gate" role="alert">
      <Empty
        title={text ?? t('refused')}
        hint={t(waits ? 'waitsHint' : 'refusedHint')}
        {...(!waits && { action: { label: t('pair'), run: pair } })}
      />
    </main>
  )
}
