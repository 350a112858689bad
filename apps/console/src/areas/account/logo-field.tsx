import { logoMax } from '@linewarden/contract'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileButton } from '../../ui/file-button.tsx'
import { Logo } from '../../ui/logo.tsx'

/** The logo as it is or will be; what it may be is the server's to say, by its content. */
export function LogoField({
  stored,
  logo,
  onChange,
}: {
  /** Address of the stored one; empty: none. */
  stored: string
  /** Base64 of a new one; null: it goes; undefined: it stays. */
  logo: string | null | undefined
  onChange: (logo: string | null) => void
}) {
  const { t } = useTranslation('security')
  const id = useId()
  const [wrong, setWrong] = useState(false)
  const choose = async (file: File) => {
    setWrong(file.size > logoMax.bytes)
    if (file.size <= logoMax.bytes) onChange(base64(new Uint8Array(await file.arrayBuffer())))
  }
  const shown = logo === undefined ? stored : logo === null ? '' : `data:${typeOf(logo)};base64,${logo}`
  return (
    <div className={wrong ? 'form-field wrong' : 'form-field'}>
      <label htmlFor={id}>{t('logo')}</label>
      <div className="logo-field">
        {shown === '' ? (
          <span title={t('logoNone')}>
            <Logo height={28} />
          </span>
        ) : (
          <img src={shown} alt={t('logo')} height={28} />
        )}
        <FileButton id={id} accept="image/png,image/jpeg,image/webp" wrong={wrong} onFile={(file) => void choose(file)} />
        {shown !== '' && (
          <button type="button" className="btn small" onClick={() => onChange(null)}>
            {t('logoRemove')}
          </button>
        )}
      </div>
      <small role={wrong ? 'alert' : undefined}>{wrong ? t('logoLarge') : t('logoHint')}</small>
    </div>
  )
}

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** For the preview only: a browser draws no picture that is none. */
const typeOf = (logo: string): string =>
  logo.startsWith('iVBOR') ? 'image/png' : logo.startsWith('UklGR') ? 'image/webp' : 'image/jpeg'
