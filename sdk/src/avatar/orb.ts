import type { Pose } from "./rig.ts";

/** The orb as it stands still, in the form of a person's shapes: for small sizes and browsers without WebGL. */
export const persona = `g body w74,b98,b66 r.36,.28,.85
g light w80,#fff0
g deep b70,#0000
g gloss #fffb,#fff0
0 ground body M22,160a138,138,0,0,1,276,0,138,138,0,0,1-276,0z
0 deep deep M120,230a110,90,0,0,1,220,0,110,90,0,0,1-220,0z
0 light light M130,110a100,70,0,0,1,200,0,100,70,0,0,1-200,0z
0 light light M20,230a90,80,0,0,1,180,0,90,80,0,0,1-180,0z
0 gloss gloss M66,92a60,42,0,0,1,120,0,60,42,0,0,1-120,0z`;

/** So many points across, at most: each is computed in every frame. */
const MAX_POINTS = 512;
/** Below this the silk cannot be seen, and a browser allows a page only some WebGL canvases. */
const MIN_POINTS = 96;

/**
 * A sphere of moving silk, lit from the upper left. Uniforms: s its size in points, t the time, v how loud it
 * speaks, k how much it thinks, c the brand's colour.
 */
const SHADER = `precision highp float;
uniform float s,t,v,k;
uniform vec3 c;
void main(){
  vec2 u=(gl_FragCoord.xy*2.-s)/s;
  float a=atan(u.y,u.x),
    r=.93+.05*v-.008*v*(sin(a*3.+t*4.)+sin(a*5.-t*5.)),
    d=length(u)/r;
  vec3 n=vec3(u/r,sqrt(max(0.,1.-d*d))),
    p=n*1.1+.15*t,
    pale=mix(min(c*1.8+.06,1.),vec3(1),.3),
    deep=c*(.5+.2*c),
    l=normalize(vec3(-.55,.75,.65));
  for(float i=1.;i<4.;i++)p+=(.5+.15*v)/i*sin(i*1.5*p.zxy+t*vec3(.7,-.5,.6)+i);
  float w=sin(p.x*1.2+p.y*1.6+n.x),
    f=sin(p.z*1.5-p.x*.8+w),
    q=dot(n,l);
  vec3 o=mix(deep,c,smoothstep(-1.,.6,w));
  o=mix(o,mix(c,pale,.75),.7*smoothstep(-.1,1.,f));
  o=mix(o,pale,(.3+.4*v)*pow(1.-abs(w),7.));
  o*=.7+.42*smoothstep(-.7,.9,q);
  o*=1.-.25*k;
  o=mix(o,pale,.6*pow(1.-n.z,2.4)*smoothstep(-.4,.7,q));
  o+=c*.45*pow(max(0.,dot(n,normalize(vec3(.5,-.8,.25)))),5.);
  o+=vec3(.32+.2*v)*pow(max(0.,q),20.);
  o+=pale*k*.6*pow(max(0.,dot(n,normalize(vec3(cos(t*3.),sin(t*3.),.4)))),5.);
  float e=smoothstep(1.,1.-6./s,d);
  gl_FragColor=vec4(min(o,1.)*e,e);
}`;

/** Draws a living orb in a canvas that takes the face's place. Undefined where that cannot be done. */
export function livingOrb(
  face: Element,
): { element: HTMLElement; pose(pose: Pose): void } | undefined {
  const canvas = document.createElement("canvas");
  const points = Math.min(MAX_POINTS, face.clientWidth * Math.min(2, devicePixelRatio));
  canvas.width = canvas.height = points;
  const gl = points >= MIN_POINTS && canvas.getContext("webgl");
  if (!gl) return undefined;
  const program = gl.createProgram();
  const add = (kind: number, text: string): void => {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  add(gl.VERTEX_SHADER, "attribute vec2 p;void main(){gl_Position=vec4(p,0,1);}");
  add(gl.FRAGMENT_SHADER, SHADER);
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const set = (name: string, ...values: number[]): void =>
    gl[values[2] === undefined ? "uniform1fv" : "uniform3fv"](
      gl.getUniformLocation(program, name),
      values,
    );
  set("s", points);
  set("c", ...brandColor(face));
  return {
    element: canvas,
    pose({ phase, open, smile }) {
      set("t", 5 + phase / 50);
      set("v", open);
      set("k", Math.max(0, 1.6 * (1 - smile)));
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
  };
}

/** As red, green and blue from 0 to 1, in whatever form the page has written it. */
function brandColor(face: Element): number[] {
  const paper = document.createElement("canvas").getContext("2d")!;
  paper.fillStyle = "#0f766e";
  paper.fillStyle = getComputedStyle(face).getPropertyValue("--svc-accent");
  paper.fillRect(0, 0, 1, 1);
  return Array.from(paper.getImageData(0, 0, 1, 1).data.slice(0, 3), (value) => value / 255);
}
