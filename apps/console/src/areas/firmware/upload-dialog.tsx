import type { FirmwareImage } from '@linewarden/contract'
import { finishFirmware, firmwarePieceBytes, sendFirmwarePiece, startFirmware } from '@linewarden/contract'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { touched } from '../../app/net/touched.ts'
import { keepUserActive } from '../../app/net/user-activity.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { Field } from '../../ui/fields.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { Bundle } from './bundle.ts'
import { base64Of, readBundle } from './bundle.ts'
import './firmware.css'

/** A signed image goes up piece by piece; one that broke off goes on where it was. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['firmware', 'app'])
  const id = useId()
  const gone = useRef(false)
  const [file, setFile] = useState<File | null>(null)
  const [bundle, setBundle] = useState<Bundle | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const [share, setShare] = useState<number | null>(null)
  const choose = async (given: File) => {
    const read = await readBundle(given)
    setFile(given)
    setBundle(read)
    setWrong(read ? null : t('notABundle'))
  }
  const send = async (): Promise<string | null> => {
    if (!file || !bundle) {
      setWrong((before) => before ?? t('noFile'))
      return ''
    }
    const problem = await errorTextOf(
      upload(file, bundle, setShare, () => gone.current).then((done) => {
        if (done) toast('info', t('uploadedToast', { version: done.Version }))
      }),
    )
    setShare(null)
    // Also of what went up before it broke off.
    await touched(finishFirmware)
    return problem
  }
  const close = () => {
    gone.current = true
    onClose()
  }
  return (
    <FormDialog title={t('upload')} submit={t('upload')} onSubmit={send} onClose={close}>
      <div className="firmware-upload">
        <p>{t('uploadWhat')}</p>
        <Field id={id} label={t('file')} error={wrong} required>
          <FileButton
            id={id}
            accept=".lwfw"
            disabled={share !== null}
            wrong={wrong !== null}
            describedBy={wrong ? `${id}-note` : undefined}
            onFile={(given) => void choose(given)}
          />
        </Field>
        {bundle && (
          <p>
            <b>{bundle.version}</b> <span className="mute">{bundle.model}</span>
          </p>
        )}
        {share !== null && (
          <>
            <progress value={share} max={1} aria-label={t('progress')} />
            <p role="status">{t('sending', { share: Math.floor(share * 100) })}</p>
          </>
        )}
      </div>
    </FormDialog>
  )
}

/** Null: the dialog was closed meanwhile; what is there stays for the next time. */
async function upload(
  file: File,
  { manifest, signature, from }: Bundle,
  onProgress: (share: number) => void,
  gone: () => boolean,
): Promise<FirmwareImage | null> {
  const { ImageID, Received } = await api.call(startFirmware, { body: { Manifest: manifest, Signature: signature } })
  const params = { ImageID }
  const size = file.size - from
  for (let at = Received; at < size; at += firmwarePieceBytes) {
    if (gone()) return null
    onProgress(at / size)
    const bytes = new Uint8Array(await file.slice(from + at, from + at + firmwarePieceBytes).arrayBuffer())
    keepUserActive()
    await api.call(sendFirmwarePiece, { params, body: { Offset: at, Bytes: base64Of(bytes) } })
  }
  onProgress(1)
  return api.call(finishFirmware, { params })
}
