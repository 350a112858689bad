import { inspectionCode } from '@linewarden/contract'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api, messageOf } from '../../../app/net/api.ts'
import { sha256 } from '../../../app/offline/photo.ts'
import { paths, phoneStop } from '../../../paths.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { arrive } from './acts.ts'
import { readCodes } from './code-reader.ts'
import { keptRounds } from './packages.ts'
import { codeIn } from './round-now.ts'

/** Reads a label with the camera, or takes its code as it is typed. A stop of a round on this phone is known without the server. */
export function ScanDialog({
  roundId,
  stopId,
  onClose,
}: {
  /** The round that is open. */
  roundId: string | null
  /** The stop that is open. */
  stopId: number | null
  onClose: () => void
}) {
  const { t } = useTranslation('phoneRounds')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const isFound = useRef(false)
  const open = async (read: string) => {
    if (isFound.current) return
    const code = codeIn(read)
    if (code === null) return setProblem(t('noLabelCode'))
    isFound.current = true
    const stop = await stopOf(code, roundId)
    if (stop) {
      await arrive(stop.roundId, stop.stopId, 'qr', '')
      onClose()
      const isThere = stop.roundId === roundId && stop.stopId === stopId
      if (!isThere) await navigate(phoneStop(stop.roundId, stop.stopId))
      return
    }
    try {
      // No stop of a round on this phone: the server knows what it is of.
      await api.call(inspectionCode, { params: { Code: code } }, { timeoutMs: 10_000 })
      onClose()
      await navigate(`${paths.rounds}?Code=${code}`)
    } catch (error) {
      isFound.current = false
      setProblem(`${t('notOfRound')} ${messageOf(error)}`)
    }
  }
  return (
    <Dialog label={t('scan')} onClose={onClose}>
      <h2>{t('scan')}</h2>
      <div className="content phone-scan">
        <Camera onRead={(read) => void open(read)} />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void open(typed)
          }}
        >
          <div className="with-button">
            <TextField label={t('typeCode')} hint={t('typeCodeHint')} maxLength={64} value={typed} onChange={setTyped} />
            <button type="submit" className="btn">
              {t('openCode')}
            </button>
          </div>
        </form>
        {problem !== null && (
          <p className="phone-note warning" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('cancelScan')}
        </button>
      </div>
    </Dialog>
  )
}

/** The stop of a label, by the rounds on this phone; that of the open round first. */
async function stopOf(code: string, roundId: string | null): Promise<{ roundId: string; stopId: number } | null> {
  const hash = await sha256(new TextEncoder().encode(code))
  const rounds = (await keptRounds()).map(({ pack }) => pack).filter(({ Round }) => Round.State === 'started')
  const found = rounds.flatMap(({ Round, Codes }) =>
    Codes.filter(({ CodeHash }) => CodeHash === hash).map(({ StopID }) => ({ roundId: Round.RoundID, stopId: StopID })),
  )
  return found.find((each) => each.roundId === roundId) ?? found[0] ?? null
}

function Camera({ onRead }: { onRead: (read: string) => void }) {
  const { t } = useTranslation('phoneRounds')
  const video = useRef<HTMLVideoElement>(null)
  const [isAway, setAway] = useState(false)
  const read = useRef(onRead)
  read.current = onRead
  useEffect(() => {
    const element = video.current
    if (!element) return
    return readCodes(
      element,
      (text) => read.current(text),
      () => setAway(true),
    )
  }, [])
  if (isAway) return <p className="mute">{t('noCamera')}</p>
  return <video ref={video} className="phone-video" autoPlay playsInline muted aria-label={t('camera')} />
}
