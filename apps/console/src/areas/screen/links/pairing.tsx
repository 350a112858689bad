import { CallError } from '@linewarden/client'
import type { pairScreen as pairCall, Reply } from '@linewarden/contract'
import { pairScreen } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api, messageOf } from '../../../app/net/api.ts'
import { paths, projectsToPair } from '../../../paths.ts'
import { span } from '../../../ui/format.ts'
import { QrCode } from '../../../ui/qr-code.tsx'
import { serverNow, useByNow } from '../../../ui/use-now.ts'
import { openByClaim } from './wall-session.ts'

type Code = Reply<typeof pairCall>

const askEveryMs = 5_000
const againMs = 60_000

/** A wall without a key: six digits, which somebody types in where links are made. */
export function Pairing() {
  const { t } = useTranslation('screenLinks')
  const navigate = useNavigate()
  const [code, setCode] = useState<Code | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    document.title = t('pair')
    const over = new AbortController()
    void waitForLink(over.signal, { onCode: setCode, onProblem: setProblem }).then((isOpen) => {
      if (isOpen) void navigate(paths.bigScreen, { replace: true })
    })
    return () => over.abort()
  }, [t, navigate])
  return (
    <main className="wall-gate">
      <section className="pairing" aria-label={t('pair')}>
        <h1>{t('pair')}</h1>
        {code && <CodeShown code={code} />}
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
    </main>
  )
}

function CodeShown({ code: { Code: digits, ExpiresAt } }: { code: Code }) {
  const { t } = useTranslation('screenLinks')
  const left = useByNow((now) => span(Math.max(0, Math.ceil((ExpiresAt - now) / 60_000) * 60_000)))
  return (
    <>
      <output className="code" aria-label={t('code')}>
        {digits.slice(0, 3)} {digits.slice(3)}
      </output>
      <QrCode text={location.origin + projectsToPair(digits)} label={t('codeQr')} />
      <p>{t('pairHow')}</p>
      <p className="mute">{t('pairLeft', { left })}</p>
    </>
  )
}

interface Shows {
  readonly onCode: (code: Code | null) => void
  readonly onProblem: (problem: string | null) => void
}

/** Shows one code after the other until a link was given; false: nobody waits any more. */
async function waitForLink(over: AbortSignal, { onCode, onProblem }: Shows): Promise<boolean> {
  let code: Code | null = null
  while (!over.aborted) {
    try {
      if (!code || serverNow() >= code.ExpiresAt) {
        code = await api.call(pairScreen, { body: { Browser: navigator.userAgent.slice(0, 300) } })
        if (over.aborted) return false
        onCode(code)
      } else {
        await openByClaim(code.Claim)
        return true
      }
      onProblem(null)
    } catch (error) {
      const why = error instanceof CallError && error.refused ? error.message : null
      if (why === 'screen code wrong') code = null
      if (why !== 'screen waits') onProblem(messageOf(error))
      if (why === 'too many requests') await pause(againMs, over)
    }
    await pause(askEveryMs, over)
  }
  return false
}

const pause = (ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
