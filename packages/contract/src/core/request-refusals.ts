import { message } from '../terms/message.ts'

/** What is answered to a request whatever area it is for. */
export const requestRefusals = {
  'authorization missing': message('请求缺少签名，请重新登录', 'The request is not signed. Sign in again', 401),
  'authorization malformed': message('请求签名格式不正确', 'The Authorization header cannot be read', 401),
  'signature wrong': message('请求签名不正确，请重新登录', 'The request signature is wrong. Sign in again', 401),
  'clock skewed': message(
    '本机时间与服务器相差超过 5 分钟，请校准时间',
    'The clock of this device differs from the server by more than 5 minutes. Correct it',
    401,
  ),
  'nonce replayed': message('请求重复，已拒绝', 'Duplicate request, refused', 401),
  'download not exists': message(
    '下载不存在或已失效，请重新导出',
    'The download does not exist or has expired. Export again',
    404,
  ),
  'too many downloads': message(
    '同时进行的下载过多，请等待其中一个完成',
    'Too many downloads at once. Wait for one to finish',
    429,
  ),
  'session expired': message('登录已过期，请重新登录', 'The session has expired. Sign in again', 401),
  'access denied': message('没有权限', 'You do not have permission for this', 403),
  'page not found': message('请求的地址不存在', 'Nothing exists at this address', 404),
  'too many requests': message('请求过于频繁，请稍后再试', 'Too many requests. Wait a moment and try again', 429),
  'database away': message(
    '数据库暂时无法访问，刚才的操作可能未保存；请稍后重试，紧急情况请在现场分闸',
    'The database does not answer: what was just sent may not have been saved. Try again in a moment. In an emergency trip the breaker on site',
    503,
  ),
  'request too slow': message(
    '请求发送超时，请检查网络后重试',
    'The request took too long to arrive. Check the network and try again',
    408,
  ),
  'https needed': message(
    '此端口不提供加密连接，请改用 https 和端口 {port}',
    'Nothing is answered here without TLS. Use https and port {port}',
    403,
  ),
  'request malformed': message('无法识别的请求', 'The request could not be read', 400),
  'body too large': message('请求内容过大', 'The request is too large', 413),
  'content type wrong': message(
    '请求内容须为 JSON，请把 Content-Type 设为 application/json',
    'The body must be JSON: set Content-Type to application/json',
    415,
  ),
  'body malformed': message('请求内容不是有效的 JSON', 'The request body is not valid JSON', 400),
  'changed meanwhile': message(
    '保存失败：其他人刚刚修改过，请刷新后重新修改',
    'Not saved: somebody else has just changed it. Reload and repeat your change',
    409,
  ),
} as const
