import type { Environment } from './environment.ts'
import { BadSetting, matching } from './environment.ts'

/** An S3-compatible bucket, and the key that opens it. */
export interface BucketConfig {
  /** Its address, with a folder in it where there is one; without a slash at its end. */
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

/** The bucket that these settings name; null: none. Its key is never repeated in a message. */
export function bucketSetting(env: Environment, name: string): BucketConfig | null {
  const url = env[name]
  if (url === undefined || url === '') return null
  const { protocol = '', search = '', hash = '', username = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {}
  // What would have to be encoded to be signed is in no bucket's name.
  if (!/^https?:$/.test(protocol) || search + hash + username !== '' || !/^[A-Za-z0-9._~/-]*$/.test(pathname))
    throw new BadSetting(
      name,
      username === '' ? url : '(hidden)',
      `the address of a bucket is needed, such as https://s3.example.com/photos; its key goes into ${name}_KEY`,
      `应为存储桶地址，如 https://s3.example.com/photos；密钥写在 ${name}_KEY`,
    )
  const [, keyId, secret] = /^([^:\s]{1,128}):(\S{8,})$/.exec(env[`${name}_KEY`] ?? '') ?? []
  if (keyId === undefined || secret === undefined)
    throw new BadSetting(
      `${name}_KEY`,
      '(hidden)',
      'id:secret is needed, as the bucket gave them',
      '应为 标识:密钥，由存储服务提供',
    )
  const region = matching(env, `${name}_REGION`, 'us-east-1', /^[A-Za-z0-9-]{1,64}$/, 'letters, digits and -')
  return { url: url.replace(/\/+$/, ''), region, keyId, secret }
}
