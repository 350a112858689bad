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
  'photo not exists': message('照片不存在', 'The photo does not exist', 404),
  'photo damaged': message(
    '照片内容与其校验值不符，请重新发送',
    'The photo that came is not the one that its hash names. Send it again',
    400,
  ),
  'photo piece wrong': message(
    '照片分段的位置或长度不正确，请从 {received} 字节处继续发送',
    'This piece of a photo begins or ends at the wrong place. Go on from byte {received}',
    400,
  ),
  'photo missing': message(
    '还有 {count} 张照片未上传，请先上传照片',
    'Photos that are not here yet: {count}. Send them first',
    409,
  ),
  'photos unfinished': message(
    '有 {most} 张照片未传完，请先传完，或等待 7 天后自动清除',
    'Photos begun and not sent to their end: {most}. Finish those first; they are cleared after 7 days',
    409,
  ),
  'photos full': message(
    '该项目的照片空间已满（{quota} MB），照片未保存；请联系平台管理员扩大空间',
    'The room for photos of this project is used up ({quota} MB), so this one was not stored. Ask whoever runs the platform for more',
    409,
  ),
  'photos away': message(
    '照片暂时无法存取，请稍后重试；照片请先保留在手机上',
    'Photos can be neither stored nor read at the moment. Try again later, and keep the photo until then',
    503,
  ),
  'photo lost': message(
    '照片文件缺失或已损坏，请联系平台管理员从备份恢复',
    'The file of this photo is missing or damaged. Ask whoever runs the platform to restore it from the backup',
    404,
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
