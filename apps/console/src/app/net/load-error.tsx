import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../ui/body-state.tsx'

/** A server that does not answer by then is not there. */
const maxWaitMs = 4_000

/**
 * In the place of what comes in a file of its own, when that did not come. A browser may go on refusing a file that failed once for as long as
 * the page lives, and after an update the server has other files: so trying again is loading the page anew, which finds its place by its
 * address. Only with a server that answers: else nothing would be left.
 */
export function LoadError() {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    const isThere = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(maxWaitMs) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) location.reload()
    else setBusy(false)
  }
  return <Failed message={t('failed')} busy={busy} retry={retry} />
}

export function LoadErrorPage() {
  return (
    <main className="page">
      <LoadError />
    </main>
  )
}
