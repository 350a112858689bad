import type { Reply } from '@linewarden/contract'
import { verifyJournal } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'

/** Walks the whole chain of the log on the server and says what was found; the sentence stays. */
export function Verify() {
  const { t } = useTranslation('people')
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<{ readonly text: string; readonly broken: boolean } | null>(null)
  const verify = async () => {
    setBusy(true)
    setFound(null)
    const outcome = await callWithToast(api.call(verifyJournal))
    setBusy(false)
    if (!outcome) return
    const { Entries, FirstBroken, Copy } = outcome.reply
    const chain = FirstBroken === null ? t('intact', { count: Entries }) : t('broken', { id: FirstBroken })
    setFound({
      text: Copy ? `${chain} ${copySentence(Copy, t)}` : chain,
      broken: FirstBroken !== null || (Copy !== null && (Copy.DepartsAt ?? Copy.BrokenAt) !== null),
    })
  }
  return (
    <>
      {found && (
        <span role="status" className={found.broken ? 'verified broken' : 'verified'}>
          {found.text}
        </span>
      )}
      <button type="button" className="btn" disabled={busy} onClick={verify}>
        {busy ? t('verifying') : t('verify')}
      </button>
    </>
  )
}

type Copy = NonNullable<Reply<typeof verifyJournal>['Copy']>

/** What is said of the copy of the log outside the database. */
function copySentence({ First, Last, DepartsAt, BrokenAt }: Copy, t: TFunction<'people'>): string {
  const found = [
    ...(DepartsAt === null ? [] : [t('copyDeparts', { id: DepartsAt })]),
    ...(BrokenAt === null ? [] : [t('copyBroken', { where: BrokenAt })]),
  ]
  if (found.length > 0) return found.join(' ')
  return First === null || Last === null ? t('copyEmpty') : t('copyIntact', { first: First, last: Last })
}
