import type { Phrases } from "./phrases.ts";

export const spanish: Phrases = {
  greeting:
    "Buenos días, soy Linden, una IA. Le muestro Svc en unos cinco minutos. Interrúmpame cuando quiera: ¿qué le trae por aquí?",
  needs: {
    after_hours: {
      said: "La mitad de nuestras visitas llegan por la noche, cuando ya no queda nadie en ventas.",
      topic: "la atención a sus visitas por la noche",
      reply:
        "Entonces encajamos. Respondo a cualquier hora, y por la mañana usted lee lo que se dijo, con una evaluación de cada conversación.",
      shown:
        "Esto es lo que encontraría por la mañana: la conversación a la izquierda, los datos a la derecha.",
    },
    repeated_demos: {
      said: "Nuestros comerciales hacen la misma demo cinco veces al día, casi siempre para gente que no compra.",
      topic: "la primera demo, que sus comerciales ya no tendrían que hacer",
      reply:
        "Puedo encargarme de la primera ronda. Hago sus preguntas por el camino, y su equipo llama a quienes encajan.",
      shown: "Aquí tiene una de esas conversaciones, con las preguntas hechas y las respondidas.",
    },
    own_warehouse: {
      said: "Queremos cada conversación en nuestro propio almacén de datos, no en otra herramienta más.",
      topic: "cómo llevar cada conversación a su almacén de datos",
      reply:
        "Cada sesión terminada está en JSON y en CSV. Se recorre por fecha y no falta ninguna, aunque terminen en desorden.",
      shown: "Este es el bucle entero, diez líneas. Sigue leyendo donde se quedó.",
    },
    several_languages: {
      said: "Vendemos en cuatro países y no podemos cubrir todos los idiomas.",
      topic: "las demostraciones en varios idiomas",
      reply:
        "Sigo el idioma del navegador, y el registro se escribe en un solo idioma para su equipo.",
      shown: "En esta página ve la misma conversación en alemán, con el registro en inglés.",
    },
    self_hosting: {
      said: "Todo lo que usamos tiene que funcionar en nuestros propios servidores.",
      topic: "la instalación en sus propios servidores",
      reply: "Así es. Un programa de servidor y PostgreSQL, no hace falta nada más.",
      shown: "Este es el esquema completo: la página, el servidor, la base de datos.",
    },
    lead_quality: {
      said: "El formulario de contacto nos da nombres, pero nunca sabemos qué necesita la gente.",
      topic: "lo que necesitan sus visitas",
      reply:
        "Para eso es la conversación. Usted elige las preguntas, y cada respuesta del registro lleva las palabras de la visita.",
      shown: "Mire este registro: junto a cada dato está la cita.",
    },
    lost_trials: {
      said: "Los usuarios de prueba se pierden en la primera hora y no vuelven.",
      topic: "el acompañamiento de sus usuarios de prueba",
      reply:
        "Puedo quedarme en una esquina de su página y ayudar cuando me pregunten, por voz o por escrito.",
      shown: "Este es el botón. Se queda pequeño hasta que alguien lo abre.",
    },
    hard_to_explain: {
      said: "Nuestro producto es difícil de explicar por escrito, hay que verlo.",
      topic: "lo que es mejor enseñar que explicar",
      reply:
        "Mientras hablo puedo enseñar páginas y fichas, y volver atrás cuando alguien pregunta.",
      shown: "Como esta. Puede pasar las páginas usted mismo mientras hablamos.",
    },
  },
  questions: {
    recording: {
      said: "¿Graban el audio?",
      reply: "No. Solo se guarda el texto, y el aviso lo dice antes de empezar.",
    },
    interrupting: {
      said: "¿Qué pasa si le interrumpo?",
      reply: "Me callo. El texto guarda entonces solo lo que usted oyó, no lo que yo iba a decir.",
    },
    crm: {
      said: "¿Cómo llega esto a nuestro CRM?",
      reply:
        "Por un webhook. Cada sesión evaluada se envía firmada a una dirección suya, así que puede comprobar de dónde viene.",
    },
    cost: {
      said: "¿Y cuánto cuesta?",
      reply:
        "Svc es software libre. Usted paga sus servidores y los modelos de voz y de lenguaje que elija.",
    },
    installing: {
      said: "¿Cuánto trabajo es ponerlo en nuestra web?",
      reply:
        "Un fragmento de código en la página. Después me inicia un botón, una ventanita o un bloque de la página.",
    },
    retention: {
      said: "¿Cuánto tiempo guardan todo esto?",
      reply:
        "Un año si no se cambia. Se ajusta por cuenta, y puede borrar lo que pertenece a una dirección.",
    },
    spreadsheet: {
      said: "¿Mis compañeros pueden abrir los datos en Excel?",
      reply:
        "Sí. Hay un enlace CSV; el navegador pide su identificador y su token, y el archivo se abre.",
    },
    person: {
      said: "¿Se puede hablar con una persona?",
      reply: "En cualquier momento. Hay un botón para eso, y usted decide adónde lleva.",
    },
    phone: {
      said: "¿Funciona en el móvil?",
      reply: "Sí. Los botones quedan junto al pulgar, y se puede escribir en vez de hablar.",
    },
    inventing: {
      said: "¿A veces se inventa cosas?",
      reply: "Respondo con lo que me dieron a leer. Si no está ahí, digo que no lo sé.",
    },
    changing: {
      said: "¿Cómo cambiamos lo que usted dice?",
      reply:
        "En un archivo. Lo edita, mira la diferencia y lo aplica; cada conversación nombra su versión.",
    },
  },
  objections: {
    robots: {
      said: "Sinceramente, a nuestros clientes no les gusta hablar con robots.",
      reply:
        "Lo entiendo. Por eso digo enseguida lo que soy, siempre se puede escribir, y una persona está a un clic.",
    },
    machine_summaries: {
      said: "No me fío mucho de los resúmenes de una máquina.",
      reply:
        "Entonces mire las citas. Cada afirmación remite a palabras dichas, y lo que no se puede probar no aparece.",
    },
    security_review: {
      said: "Nuestro equipo de seguridad va a tardar meses.",
      reply: "Pueden leerlo todo. El código es abierto, funciona en su red, y no se guarda audio.",
    },
    too_small: {
      said: "Quizá seamos demasiado pequeños para esto.",
      reply: "Basta un servidor pequeño. Empiece con una sola página y vea qué pregunta la gente.",
    },
    no_engineers: {
      said: "Ahora mismo no tenemos programadores libres.",
      reply:
        "La página necesita un fragmento de código. Lo demás es un archivo de texto que puede editar usted.",
    },
  },
  unfit: {
    job_search: {
      said: "En realidad busco trabajo. ¿Están contratando?",
      reply: "Yo solo conozco Svc. El botón de abajo le lleva a una persona que lo sabe.",
    },
    own_offer: {
      said: "Hacemos páginas web y quería ofrecerles nuestros servicios.",
      reply: "No puedo recibir ofertas, solo enseño Svc. El botón de abajo lleva a una persona.",
    },
    no_website: {
      said: "No tengo página web, solo quería oír cómo suena esto.",
      reply: "Con mucho gusto. Sin página no tengo dónde estar, pero pregunte lo que quiera.",
    },
  },
  currentTools: {
    video: "Hoy tenemos ahí un vídeo, y casi nadie lo ve hasta el final.",
    chat: "Ahora mismo contesta un chat, y la gente espera mucho.",
    calendar: "De momento la gente reserva una cita, y la mitad no viene.",
  },
  deciders: {
    manager: "Mi directora de marketing tiene que dar el visto bueno.",
    engineering: "Nuestros programadores querrán verlo antes.",
    board: "Al final decide la dirección.",
  },
  monthlyVisitors: {
    ask: "¿Cuántas personas visitan esa página al mes, más o menos?",
    said: [
      (people) => `Unas ${people.toLocaleString("es")}, diría yo.`,
      (people) => `Alrededor de ${people.toLocaleString("es")} al mes.`,
      (people) => `El último informe decía ${people.toLocaleString("es")}.`,
    ],
    thanks: "Es bueno saberlo, gracias.",
  },
  timeline: {
    ask: "¿Cuándo le gustaría tenerlo en marcha?",
    said: {
      this_month: "Este mes si es posible, tenemos un lanzamiento.",
      this_quarter: "A lo largo del trimestre, creo.",
      next_year: "No antes del año que viene, ya no hay presupuesto.",
      looking_around: "Todavía no lo sé, solo estoy mirando.",
    },
    thanks: "Eso me ayuda.",
  },
  introduction: ({ first, last, company }) => `Me llamo ${first} ${last} y trabajo en ${company}.`,
  cutIn: ["Perdone que le corte.", "Bien, con eso me basta.", "Sí, entendido."],
  emailCard: {
    offer: "Si quiere, le envío un resumen. He puesto en pantalla una ficha para su dirección.",
    thanks: "Gracias, le llegará poco después de nuestra conversación.",
  },
  goodbye: {
    visitor: [
      "Perfecto, era lo que quería saber. Adiós.",
      "Gracias, lo hablo con mi equipo.",
      "Muy bien, gracias.",
    ],
    agent: "Gracias por su tiempo. Hasta pronto.",
  },
  prospectSummary: (person, topic) =>
    `Gracias por la conversación${person === undefined ? "" : `, ${person.first} ${person.last}`}. Hablamos de lo siguiente: ${topic}. Si tiene más preguntas, vuelva a la página cuando quiera.`,
  people: {
    first: ["Lucía", "Íñigo", "Carmen", "Mateo", "Nuria", "Andrés", "Ximena", "Joaquín", "Belén"],
    last: ["Muñoz", "Ibáñez", "Etxeberria", "Quiroga", "Peña", "Salvatierra", "Ocampo", "Núñez"],
  },
  companies: ["Cumbre Viajes", "Olivar del Sur", "Tecnoríos", "Librería Faro", "Clínica Aldaba"],
};
